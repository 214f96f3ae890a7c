"""A payment as the guru sees it: with their part, and without the card."""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.disputes.models import SessionDispute
from porchlight.features.bookings.guru.schemas import GuruPaymentData, GuruRefundData
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.models import Refund
from porchlight.features.bookings.payments.queries import payments_of
from tenants.kit import clock

# Of a card that is kept. The person may be paying what they owe on Stripe's page.
_HELD_STATES = {
    "kept": "kept", "charging": "charging", "unpaid": "unpaid", "opening": "unpaid", "open": "unpaid",
}  # fmt: skip


async def guru_payment(session: AsyncSession, booking: Booking) -> GuruPaymentData | None:
    """Return the payment of a booking that arrived in the form of the console's API, or None without one.

    Of a card that is kept, the amount is what it was charged, and 0 before.
    """
    payment = (await payments_of(session, [booking])).get(booking.id)
    if payment is None:
        return None
    if payment.mode == "hold" and payment.state != "paid":
        state = _HELD_STATES.get(payment.state, "released")
        owed = payment.amount_cents if state in ("charging", "unpaid") else 0
        fee = payment.fee_cents if owed else 0
        return GuruPaymentData(
            mode="hold", state=state, amount_cents=owed, refunded_cents=0, fee_cents=fee, share_cents=owed - fee,
            kept_cents=0, disputed=False, dispute_id=None, refunds=[], delivered_at=None,
        )  # fmt: skip
    if payment.state != "paid":
        return None
    of_payment = select(Refund).where(Refund.tenant_id == payment.tenant_id, Refund.payment_id == payment.id)
    refunds = (await session.scalars(of_payment.order_by(Refund.created_at, Refund.id))).all()
    of_group = select(SessionDispute.id).where(
        SessionDispute.tenant_id == payment.tenant_id,
        SessionDispute.group_id == payment.group_id,
        or_(SessionDispute.parts == [], SessionDispute.parts.contains([{"payment": str(payment.id)}])),
    )
    dispute_id = await session.scalar(of_group.order_by(SessionDispute.id.desc()).limit(1))
    kept, fee = payment.snapshot.kept_cents, payment.snapshot.fee_left_cents
    return GuruPaymentData(
        mode=payment.mode,
        state="paid",
        amount_cents=payment.amount_cents,
        refunded_cents=payment.refunded_cents,
        fee_cents=fee,
        share_cents=max(kept - fee, 0),
        kept_cents=kept,
        disputed=payment.disputed,
        dispute_id=str(dispute_id) if dispute_id else None,
        refunds=[_refund_data(one) for one in refunds],
        delivered_at=clock.to_iso8601(payment.delivered_at) if payment.delivered_at else None,
    )


def _refund_data(refund: Refund) -> GuruRefundData:
    return GuruRefundData(
        amount_cents=refund.amount_cents,
        share_cents=refund.amount_cents - refund.fee_cents,
        fee_cents=refund.fee_cents,
        actor=refund.actor,
        state=refund.state,
        created_at=clock.to_iso8601(refund.created_at),
    )
