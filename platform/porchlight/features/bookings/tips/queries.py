"""Reading the tips for a session."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.tips.actions import PURPOSE, session_tip_state, tips_of
from porchlight.features.bookings.tips.decision import MAX_TIP_CENTS, MIN_TIP_CENTS, suggested_tips, tip_until
from porchlight.features.bookings.tips.schemas import SuggestedTipData, TipData, TipsData
from tenants.kit import clock

MAX_SHOWN = 10


async def session_tips(session: AsyncSession, desk: CardDesk, user_id: UUID, booking_id: UUID) -> TipsData:
    """Return the tips for a user's session, and whether there can be another one. Raises NotFound."""
    booking = await own_booking(session, user_id, booking_id)
    found = (await session.scalars(tips_of(booking).limit(MAX_SHOWN))).all()
    return TipsData(
        state=(await session_tip_state(session, desk, booking)).value,
        until=clock.to_iso8601(tip_until(booking.ends_at)),
        minimum_cents=MIN_TIP_CENTS,
        maximum_cents=MAX_TIP_CENTS,
        suggestions=[
            SuggestedTipData(percent=one.percent, amount_cents=one.amount_cents)
            for one in suggested_tips(booking.price_cents, booking.currency)
        ],
        tips=[tip_data(one) for one in found],
    )


def tip_data(payment: Payment) -> TipData:
    """Return a tip in the form of the API."""
    is_open = payment.state == "open" and payment.expires_at > clock.now()
    return TipData(
        id=str(payment.id),
        state=payment.state,
        amount_cents=payment.amount_cents,
        url=payment.checkout_url if is_open else "",
        paid_at=clock.to_iso8601(payment.paid_at) if payment.paid_at else None,
    )


async def tipped_cents(session: AsyncSession, booking: Booking) -> int:
    """Return what was tipped for a booking in all, less what went back, as its guru sees it."""
    query = select(func.sum(Payment.amount_cents - Payment.refunded_cents)).where(
        Payment.tenant_id == booking.tenant_id, Payment.booking_id == booking.id, Payment.purpose == PURPOSE,
        Payment.state == "paid",
    )  # fmt: skip
    return int(await session.scalar(query) or 0)
