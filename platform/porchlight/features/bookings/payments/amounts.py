"""The price of a booking by card, the platform's fee of it, and refunds: computed without a database."""

from __future__ import annotations

from dataclasses import dataclass

from porchlight.features.bookings.facts import PaymentMode, PaymentSnapshot
from porchlight.features.bookings.terms import AnyBooking, share_cents
from porchlight.money.fees import Fees, fee_cents
from porchlight.settlement.card_payments import MIN_PRICE_CENTS

CURRENCY = "USD"
MAX_CARD_CENTS = 999_999_99  # Stripe's limit of a charge in USD
MIN_CHARGE_CENTS = 50  # Stripe's least charge in USD, for what is owed of a card that is kept


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


def payment_mode(booking: AnyBooking) -> PaymentMode | None:
    """Return how a booking takes a card when it is made, or None for one that is paid in person.

    That is so for what is too little for a card, and for a card that could never be charged. A deposit that is too
    little is the whole price.
    """
    wanted = booking.terms.get("payment", "in_person")
    if wanted == "in_person" or booking.currency != CURRENCY or booking.price_cents < MIN_PRICE_CENTS:
        return None
    if wanted == "deposit":
        deposit = deposit_cents(booking.price_cents, int(booking.terms["deposit_percent"]))
        return "deposit" if MIN_PRICE_CENTS <= deposit < booking.price_cents else "full"
    if wanted == "hold":
        return "hold" if most_owed_cents(booking) >= MIN_CHARGE_CENTS else None
    return "full"


def is_paid_by_card(booking: AnyBooking) -> bool:
    """Return whether Stripe's page is opened when a booking is made: to pay, or to keep a card."""
    return payment_mode(booking) is not None


def due_now_cents(booking: AnyBooking) -> int:
    """Return what is paid by card when a booking is made, by the terms that it copied."""
    mode = payment_mode(booking)
    if mode == "deposit":
        return deposit_cents(booking.price_cents, int(booking.terms["deposit_percent"]))
    return booking.price_cents if mode == "full" else 0


def deposit_cents(price_cents: int, percent: int) -> int:
    """Return a percentage of a price, rounded half to even."""
    cents, rest = divmod(price_cents * percent, 100)
    return cents + (rest > 50 or (rest == 50 and cents % 2 == 1))


def most_owed_cents(booking: AnyBooking) -> int:
    """Return the most that a person can owe by the terms of a booking, if they cancel late or do not come."""
    percent = max(int(booking.terms["late_percent"]), int(booking.terms["missed_percent"]))
    return share_cents(booking.price_cents, percent)


def begun_cents(booking: AnyBooking) -> int:
    """Return the amount of a payment that begins: what is paid now, or the most that a kept card can be charged."""
    return most_owed_cents(booking) if payment_mode(booking) == "hold" else due_now_cents(booking)


def quote(price_cents: int, plan: str, fees: Fees) -> Quote:
    """Return what a booking costs by card with a guru of a plan. Raises ValueError for a plan without payments."""
    return Quote(price_cents, fee_cents(price_cents, plan, fees), fees.basis_points[plan], fees.minimum_cents)


def charge_fee_cents(payment: PaymentSnapshot, amount_cents: int) -> int:
    """Return the platform's fee of an amount that a kept card is charged, by the fees of when it was kept."""
    return fee_cents(amount_cents, _OWN, _fees_of(payment))


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
