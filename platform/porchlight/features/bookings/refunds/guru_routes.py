"""Refunds that a guru makes from what a person paid by card. An admin who impersonates the guru makes none."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, status

from porchlight.console_context import CurrentConsole
from porchlight.dependencies import IdempotencyKey
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse
from porchlight.features.bookings.payments.amounts import MAX_CARD_CENTS
from porchlight.features.bookings.refunds import actions
from porchlight.features.bookings.refunds.schemas import RefundPayload, RefundPreviewResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings", tags=["bookings"], route_class=StrictRoute)


@router.get("/{booking_id}/refunds/preview", operation_id="get_refund_preview", summary="Preview a refund of a booking")
async def get_refund_preview(
    console: CurrentConsole,
    booking_id: str,
    amount_cents: Annotated[int, Query(alias="amountCents", ge=1, le=MAX_CARD_CENTS)],
) -> RefundPreviewResponse:
    """Return what of a refund comes from the guru, and what from the platform's fee.

    409 `refund_too_large` for more than is left, `payment_disputed` while the bank decides.
    """
    wanted = parse_id_or_404(booking_id)
    async with console.unit_of_work(acting=True) as session:
        data = await actions.preview(session, console.tenant_id, wanted, amount_cents)
    return RefundPreviewResponse(success=True, data=data)


@router.post(
    "/{booking_id}/refunds",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_refund",
    summary="Return a part of a booking's payment",
)
async def create_refund(
    console: CurrentConsole, booking_id: str, payload: RefundPayload, key: IdempotencyKey
) -> GuruBookingResponse:
    """Return money to the person's card, before or after the session. Both get an email.

    A resend under the same key changes nothing. 409 `refund_changed` if other cents are left than were seen,
    `refund_too_large`, `payment_disputed`.
    """
    if console.is_impersonated:
        raise Forbidden
    wanted = parse_id_or_404(booking_id)
    async with console.unit_of_work(acting=True) as session:
        await actions.refund(
            session,
            console.tenant_id,
            wanted,
            amount_cents=payload.amount_cents,
            kept_cents=payload.kept_cents,
            words=payload.words.strip(),
            key=key or str(new_id()),
        )
        return await booking_response(console, session, booking_id)
