"""A payment as the guru sees it: with their part, and without the card."""

from __future__ import annotations

from porchlight.features.bookings.guru.schemas import GuruPaymentData
from porchlight.features.bookings.payments.models import Payment
from tenants.kit import clock

# Of a card that is kept. The person may be paying what they owe on Stripe's page.
_HELD_STATES = {
    "kept": "kept", "charging": "charging", "unpaid": "unpaid", "opening": "unpaid", "open": "unpaid",
}  # fmt: skip


def guru_payment_data(payment: Payment) -> GuruPaymentData | None:
    """Return a payment that arrived in the form of the console's API, or None for another one.

    Of a card that is kept, the amount is what it was charged, and 0 before.
    """
    if payment.mode == "hold" and payment.state != "paid":
        state = _HELD_STATES.get(payment.state, "released")
        owed = payment.amount_cents if state in ("charging", "unpaid") else 0
        fee = payment.fee_cents if owed else 0
        return GuruPaymentData(
            mode="hold", state=state, amount_cents=owed, refunded_cents=0, fee_cents=fee, share_cents=owed - fee,
            delivered_at=None,
        )  # fmt: skip
    if payment.state != "paid":
        return None
    fee = payment.fee_cents - payment.fee_returned_cents
    return GuruPaymentData(
        mode=payment.mode,
        state="paid",
        amount_cents=payment.amount_cents,
        refunded_cents=payment.refunded_cents,
        fee_cents=fee,
        share_cents=payment.amount_cents - payment.refunded_cents - fee,
        delivered_at=clock.to_iso8601(payment.delivered_at) if payment.delivered_at else None,
    )
