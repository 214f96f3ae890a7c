"""Liability waivers: accept, list, download, withdraw (SPEC 2.13, 7.2), the texts and the public keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response, status

from porchlight.contracts import RISK_LEVELS
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey
from porchlight.features.waivers import actions, queries
from porchlight.features.waivers.http import accepted_waiver, receipt_response, requester_of, waiver_services
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.levels import VALIDITY_DAYS
from porchlight.features.waivers.schemas import (
    EXCHANGE_ID,
    AcceptedWaiverResponse,
    GuruTextBody,
    PublicKeySet,
    WaiverList,
    WaiverListResponse,
    WaiverPayload,
    WaiverResponse,
    WaiverTextBody,
    WaiverTextResponse,
)
from porchlight.features.waivers.texts import current_text
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/liability", tags=["waivers"], route_class=StrictRoute)
well_known = FeatureRouter(tags=["waivers"], route_class=StrictRoute)

KEYS_PATH = "/.well-known/porchlight-waiver-keys.json"


@router.post(
    "/waiver",
    response_model=AcceptedWaiverResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_waiver",
    summary="Accept a liability waiver",
)
async def create_waiver(
    request: Request, context: Context, user: CurrentUser, key: IdempotencyKey, payload: WaiverPayload
) -> AcceptedWaiverResponse:
    """Store an accepted waiver, signed into a hash chain. Without `signature` it is accepted but not signed.

    The server determines the level: 409 `waiver_level_changed` if a signature is for a lower one. 409 `text_changed` if
    a text has a newer version. A resend under the same key returns the first waiver.
    """
    requester = requester_of(request, user.user_id)
    accepted = await actions.accept_waiver(waiver_services(context), requester, payload, key)
    return AcceptedWaiverResponse(success=True, data=accepted_waiver(accepted))


@router.get(
    "/texts/{level}",
    response_model=WaiverTextResponse,
    operation_id="get_waiver_text",
    summary="Get the waiver text of a risk level",
)
async def get_waiver_text(
    context: Context,
    response: Response,
    level: str,
    exchange_id: Annotated[
        str | None, Query(alias="exchangeId", pattern=EXCHANGE_ID, description="Adds the text of the exchange's guru.")
    ] = None,
) -> WaiverTextResponse:
    """Return the current text of a level: low, medium, high or extreme. 404 for an unknown exchange."""
    known = next((name for name in RISK_LEVELS if name == level), None)
    if known is None:
        raise NotFound
    waiver_text = current_text(known)
    response.headers["cache-control"] = "public, max-age=300" if exchange_id is None else "no-store"
    guru_text = None
    if exchange_id is not None:
        async with unit_of_work(context.db) as session:
            exchange = await queries.exchange(session, exchange_id, "")
        if own := exchange.guru_text:
            guru_text = GuruTextBody(
                guru_name=exchange.guru_name, version=own.version, body=own.body, sha256=own.reference.sha256
            )
    data = WaiverTextBody(
        level=known,
        version=waiver_text.version,
        title=waiver_text.title,
        body=waiver_text.body,
        sha256=waiver_text.reference.sha256,
        valid_days=VALIDITY_DAYS[known],
        guru_text=guru_text,
    )
    return WaiverTextResponse(success=True, data=data)


@router.get("/waivers", response_model=WaiverListResponse, operation_id="list_waivers", summary="List my waivers")
async def list_waivers(response: Response, context: Context, user: CurrentUser) -> WaiverListResponse:
    """Return the user's waivers, newest first, at most 200, and the sessions that need a new one.

    `contactViews`: when gurus looked at the emergency contact, at most 20, latest first.
    """
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        waivers, more_waivers = await queries.own_waivers(session, user.user_id)
        due_sessions, more_due_sessions = await queries.due_sessions(session, user.user_id)
        contact_views, more_contact_views = await queries.contact_views(session, user.user_id)
    data = WaiverList(
        waivers=waivers,
        more_waivers=more_waivers,
        due_sessions=due_sessions,
        more_due_sessions=more_due_sessions,
        contact_views=contact_views,
        more_contact_views=more_contact_views,
    )
    return WaiverListResponse(success=True, data=data)


@router.get(
    "/waivers/{waiver_id}/receipt",
    operation_id="get_waiver_receipt",
    summary="Download the receipt of a waiver",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP file that proves the waiver offline."}},
)
async def get_waiver_receipt(context: Context, user: CurrentUser, waiver_id: str) -> Response:
    """Return the record, the PDF, the signed link and the data that is not erased yet."""
    parsed_id = parse_id_or_404(waiver_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        content = await queries.receipt_content(session, user.user_id, parsed_id)
    return receipt_response(context, parsed_id, content)


@router.post(
    "/waivers/{waiver_id}/withdrawal",
    response_model=WaiverResponse,
    operation_id="withdraw_waiver",
    summary="Withdraw a waiver",
)
async def withdraw_waiver(context: Context, user: CurrentUser, waiver_id: str) -> WaiverResponse:
    """End a waiver from now on. An ended or expired one stays as it is."""
    parsed_id = parse_id_or_404(waiver_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.withdraw_waiver(session, user.user_id, parsed_id)
        waiver = await queries.own_waiver(session, user.user_id, parsed_id)
    return WaiverResponse(success=True, data=waiver)


@well_known.get(
    KEYS_PATH, response_model=PublicKeySet, operation_id="list_waiver_keys", summary="List the keys that sign waivers"
)
async def list_waiver_keys(response: Response, context: Context) -> PublicKeySet:
    """Return the public keys, also earlier ones, as JWK set. Receipts are verified with them."""
    response.headers["cache-control"] = "public, max-age=3600"
    return PublicKeySet.model_validate(waiver_keyring(context.settings).public_key_set())
