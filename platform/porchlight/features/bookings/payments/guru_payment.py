"""A payment as the guru sees it: with their part, and without the card."""

from __future__ import annotations

from porchlight.features.bookings.guru.schemas import GuruPaymentData
from porchlight.features.bookings.payments.models import Payment
from tenants.kit import clock


def guru_payment_data(payment: Payment) -> GuruPaymentData | None:
    """Return a payment that arrived in the form of the console's API, or None for another one."""
    if payment.state != "paid":
        return None
    fee = payment.fee_cents - payment.fee_returned_cents
    return GuruPaymentData(
        amount_cents=payment.amount_cents,
        refunded_cents=payment.refunded_cents,
        fee_cents=fee,
        share_cents=payment.amount_cents - payment.refunded_cents - fee,
        delivered_at=clock.to_iso8601(payment.delivered_at) if payment.delivered_at else None,
    )
