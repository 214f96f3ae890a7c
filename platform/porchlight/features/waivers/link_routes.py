"""Signing a waiver without an account, with a personal link (`porchlight.personal_links`).

A link shows what its bearer signs, and nothing of what they entered: others may know the link, too. The receipt has
that, so it has a path of its own, which only the response to the signature has.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import Depends, Request, Response, status

from porchlight.contracts import RISK_LEVELS
from porchlight.dependencies import AppContext, Context, IdempotencyKey, require_main_host
from porchlight.features.waivers import actions, queries
from porchlight.features.waivers.actions import Acceptance, WaiverLevelChanged
from porchlight.features.waivers.http import accepted_waiver, receipt_response, requester_of, waiver_services
from porchlight.features.waivers.levels import VALIDITY_DAYS
from porchlight.features.waivers.link_receipts import parse_receipt_or_404, receipt_text
from porchlight.features.waivers.schemas import (
    SignedWaiver,
    SignedWaiverResponse,
    SigningData,
    SigningResponse,
    WaiverPayload,
)
from porchlight.personal_links import SigningLink
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.clock import to_iso8601
from tenants.kit.errors import NotFound, ValidationFailed

router = FeatureRouter(
    prefix="/api/liability",
    tags=["waivers"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host)],
)

RECEIPT_TTL = timedelta(hours=1)


@router.get("/links/{link}", operation_id="get_signing", summary="Get what a personal link is for")
async def get_signing(response: Response, context: Context, link: str) -> SigningResponse:
    """Return who signs for which session. 404 for an unknown or replaced link, and once its sessions have started."""
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
    signing = await _signing(context, SigningLink.parse_or_404(link))
    risk = await context.risk.assess_activity("", signing.service_name)
    reasons = risk.reasons if risk.rating == signing.level else []
    from_time = _can_sign_from(signing)
    data = SigningData(
        name=signing.name,
        booker_name=signing.booker_name,
        guru_label=signing.guru_label,
        guru_name=signing.guru_name,
        service_id=str(signing.service_id),
        service_name=signing.service_name,
        starts_at=to_iso8601(signing.starts_at),
        ends_at=to_iso8601(signing.ends_at),
        zone=signing.zone,
        level=signing.level,
        reasons=reasons,
        signed=signing.is_covered,
        can_sign_from=from_time,
    )
    return SigningResponse(success=True, data=data)


@router.post(
    "/links/{link}/waiver",
    status_code=status.HTTP_201_CREATED,
    operation_id="sign_with_link",
    summary="Sign a waiver with a personal link",
)
async def sign_with_link(
    request: Request, response: Response, context: Context, key: IdempotencyKey, link: str, payload: WaiverPayload
) -> SignedWaiverResponse:
    """Store the signed waiver of a participant, or of a guardian for the minor whom the link names.

    409 `already_signed` if someone has signed with the link; `waiver_level_changed` and `text_changed` as for
    POST /api/liability/waiver. A resend under the same key returns the first waiver.
    """
    response.headers["cache-control"] = "no-store"
    personal = SigningLink.parse_or_404(link)
    signing = await _signing(context, personal)
    if payload.exchange_id != signing.exchange_id:
        raise NotFound
    if payload.signature is None:
        raise ValidationFailed(fields={"signature.typedName": "Type your full name to sign."})
    if RISK_LEVELS.index(payload.risk_level) < RISK_LEVELS.index(signing.level):
        raise WaiverLevelChanged
    if payload.signature.guardian:
        # A guardian's waiver is for the minor of this link only.
        minor = payload.signature.model_copy(update={"participant_name": signing.name})
        payload = payload.model_copy(update={"signature": minor})
    requester = requester_of(request, signing.signer_id)
    accepted = await actions.accept_waiver(waiver_services(context), requester, payload, key, link=personal.token)
    receipt = _receipt_path(context, signing.signer_id, accepted)
    data = SignedWaiver(**accepted_waiver(accepted).model_dump(), receipt=receipt)
    return SignedWaiverResponse(success=True, data=data)


@router.get(
    "/link-receipts/{receipt}",
    operation_id="get_link_receipt",
    summary="Download the receipt of a waiver that was signed with a link",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP file that proves the waiver offline."}},
)
async def get_link_receipt(context: Context, receipt: str) -> Response:
    """Return the record, the PDF and the signed link, for an hour after the signature."""
    signer_id, waiver_id = parse_receipt_or_404(context.settings.address_secret, receipt)
    async with unit_of_work(context.db, user_id=signer_id) as session:
        content = await queries.receipt_content(session, signer_id, waiver_id)
    if content.accepted_at < clock.now() - RECEIPT_TTL:
        raise NotFound
    return receipt_response(context, waiver_id, content)


async def _signing(context: AppContext, link: SigningLink) -> queries.Signing:
    async with unit_of_work(context.db, tenant_id=link.tenant_id) as session:
        return await queries.signing(session, link.token)


def _can_sign_from(signing: queries.Signing) -> str | None:
    """Return from when a waiver is valid until the session starts, or None if that is now."""
    earliest = signing.starts_at - timedelta(days=VALIDITY_DAYS[signing.level])
    return to_iso8601(earliest) if earliest >= clock.now() else None


def _receipt_path(context: AppContext, signer_id: UUID, accepted: Acceptance) -> str:
    receipt = receipt_text(context.settings.address_secret, signer_id, accepted.waiver_id)
    return f"{router.prefix}/link-receipts/{receipt}"
