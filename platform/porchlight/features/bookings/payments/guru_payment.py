"""A payment as the guru sees it: with their part, and without the card."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.disputes.models import SessionDispute
from porchlight.features.bookings.guru.schemas import GuruPaymentData, GuruRefundData
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.models import Refund
from porchlight.features.bookings.payments.queries import payments_of
from tenants.kit import clock


async def guru_payment(session: AsyncSession, booking: Booking) -> GuruPaymentData | None:
    """Return the payment of a booking that arrived in the form of the console's API, or None without one."""
    payment = (await payments_of(session, [booking])).get(booking.id)
    if payment is None or payment.state != "paid":
        return None
    of_payment = select(Refund).where(Refund.tenant_id == payment.tenant_id, Refund.payment_id == payment.id)
    refunds = (await session.scalars(of_payment.order_by(Refund.created_at, Refund.id))).all()
    of_group = select(SessionDispute.id).where(
        SessionDispute.tenant_id == payment.tenant_id, SessionDispute.group_id == payment.group_id
    )
    dispute_id = await session.scalar(of_group.order_by(SessionDispute.id.desc()).limit(1))
    kept, fee = payment.snapshot.kept_cents, payment.snapshot.fee_left_cents
    return GuruPaymentData(
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
