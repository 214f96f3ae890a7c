"""The price of a booking by card, the platform's fee of it, and refunds: computed without a database."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.terms import AnyBooking
from porchlight.money.fees import Fees, fee_cents
from porchlight.settlement.card_payments import MIN_PRICE_CENTS

CURRENCY = "USD"
MAX_CARD_CENTS = 999_999_99  # Stripe's limit of a charge in USD


@dataclass(frozen=True, slots=True)
class Quote:
    """The amount to charge, and the platform's fee of it, with the share and the minimum by which refunds count."""

    amount_cents: int
    fee_cents: int
    fee_bps: int
    fee_minimum_cents: int


@dataclass(frozen=True, slots=True)
class RefundShares:
    """An amount that goes back. `fee_cents` of it comes from the platform, the rest from the guru."""

    amount_cents: int
    fee_cents: int


def is_paid_by_card(booking: AnyBooking) -> bool:
    """Return whether a booking is paid when it is made. What is too little for a card is paid in person."""
    is_card = booking.terms.get("payment") == "full" and booking.currency == CURRENCY
    return is_card and booking.price_cents >= MIN_PRICE_CENTS


def quote(price_cents: int, plan: str, fees: Fees) -> Quote:
    """Return what a booking costs by card with a guru of a plan. Raises ValueError for a plan without payments."""
    return Quote(price_cents, fee_cents(price_cents, plan, fees), fees.basis_points[plan], fees.minimum_cents)


def refund_shares(payment: PaymentSnapshot, amount_cents: int) -> RefundShares:
    """Return both shares of a refund. The platform keeps its fee on what the guru keeps, and no more than it had.

    Raises ValueError for an amount that is not above 0, or more than is left.
    """
    if not 0 < amount_cents <= payment.kept_cents:
        raise ValueError(f"{amount_cents} of {payment.kept_cents} cents cannot be refunded")
    had = payment.fee_left_cents
    kept = payment.kept_cents - amount_cents
    keeps = min(fee_cents(kept, _OWN, _fees_of(payment)), had) if kept else 0
    # Without the guru's share, which is what the amount has besides: a fee never exceeds it.
    return RefundShares(amount_cents, min(had - keeps, amount_cents))


def refund_for_end(payment: PaymentSnapshot, owed_cents: int) -> RefundShares | None:
    """Return what goes back when a booking ends and the person owes a part of its price, or None for nothing.

    Nothing is returned while the bank looks at the payment, because it decides who gets the money.
    """
    amount = payment.kept_cents - owed_cents
    return refund_shares(payment, amount) if amount > 0 and not payment.is_disputed else None


_OWN = "own"


def _fees_of(payment: PaymentSnapshot) -> Fees:
    return Fees({_OWN: payment.fee_bps}, payment.fee_minimum_cents)
