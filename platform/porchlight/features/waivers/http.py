"""Requests and responses that signing with an account and with a personal link have in common."""

from __future__ import annotations

from uuid import UUID

from fastapi import Request, Response

from porchlight.dependencies import AppContext
from porchlight.features.waivers.actions import Acceptance, Requester, WaiverServices
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.queries import ReceiptContent
from porchlight.features.waivers.receipts import build_receipt
from porchlight.features.waivers.schemas import AcceptedWaiver
from tenants.kit.clock import to_iso8601


def waiver_services(context: AppContext) -> WaiverServices:
    """Return the dependencies of `accept_waiver`."""
    return WaiverServices(
        context.db,
        context.risk,
        context.profiles,
        waiver_keyring(context.settings).current,
        limited=context.settings.limits == "on",
    )


def requester_of(request: Request, signer_id: UUID) -> Requester:
    """Return who signs, and where from."""
    host = request.client.host if request.client else ""
    return Requester(signer_id, host, request.headers.get("user-agent", ""))


def accepted_waiver(accepted: Acceptance) -> AcceptedWaiver:
    """Return an accepted waiver as responses show it."""
    return AcceptedWaiver(
        waiver_id=str(accepted.waiver_id),
        accepted_at=to_iso8601(accepted.accepted_at),
        expires_at=to_iso8601(accepted.expires_at),
    )


def receipt_response(context: AppContext, waiver_id: UUID, content: ReceiptContent) -> Response:
    """Return the receipt of a waiver as a ZIP file to download."""
    key = waiver_keyring(context.settings).public_keys[content.signed.link.key_id]
    receipt = build_receipt(content.record, content.pdf, content.signed, key, content.erasable)
    headers = {
        "content-disposition": f'attachment; filename="porchlight-waiver-{waiver_id}.zip"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(receipt, media_type="application/zip", headers=headers)
