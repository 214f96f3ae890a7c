"""Decisions on what a person owes of a booking whose card is kept, and on the card, without a database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from porchlight.features.bookings.commands import WantedPayment
from porchlight.features.bookings.facts import BookingSnapshot, PaymentSnapshot
from porchlight.features.bookings.payments.amounts import MIN_CHARGE_CENTS, charge_fee_cents
from porchlight.features.bookings.payments.changes import CardReleased, ChargeCard, EndedState
from porchlight.features.bookings.states import Status

ALREADY_KEPT = frozenset({"kept", "charging", "paid", "unpaid", "released"})  # Stripe's page was completed before
_OWING = frozenset({Status.CANCELED, Status.MISSED})
REASONS = {Status.CANCELED: "Late cancellation", Status.MISSED: "Missed session"}  # on Stripe's page, and for the bank


def owed_cents(booking: BookingSnapshot) -> int:
    """Return what a person owes of a booking that has ended."""
    return booking.owed_cents if booking.status in _OWING else 0


def change_for_end(payment: PaymentSnapshot, owed: int) -> ChargeCard | CardReleased | None:
    """Return what becomes of a card that is kept when its booking ends, or of a charge when nothing is owed any more.

    What is too little for a charge is not collected. A charge that is on its way is looked at when it arrives.
    """
    if payment.mode != "hold":
        return None
    if payment.state == "kept" and owed >= MIN_CHARGE_CENTS:
        return ChargeCard(id=payment.id, amount_cents=owed, fee_cents=charge_fee_cents(payment, owed))
    if payment.state == "kept" or (payment.state == "unpaid" and not owed):
        return CardReleased(id=payment.id)
    return None


def payment_after(payment: PaymentSnapshot, change: ChargeCard | CardReleased) -> PaymentSnapshot:
    """Return a payment after a change that `change_for_end` returned."""
    if isinstance(change, CardReleased):
        return replace(payment, state="released")
    return replace(payment, state="charging", amount_cents=change.amount_cents, fee_cents=change.fee_cents)


def may_be_paid(payment: PaymentSnapshot) -> bool:
    """Return whether a payment can still arrive: by the person, or by a charge of their card."""
    return payment.is_open or payment.state == "charging"


def state_without_payment(booking: BookingSnapshot, payment: PaymentSnapshot, state: EndedState) -> EndedState:
    """Return the state of a payment that did not arrive. What is owed of a booking that has ended stays unpaid."""
    if payment.mode != "hold" or booking.status in (Status.HELD, Status.EXPIRED):
        return state
    return "unpaid" if owed_cents(booking) else "released"


def setup_page(group_id: UUID, wanted: WantedPayment, until: int) -> dict[str, Any]:
    """Return the parameters of Stripe's page on which a card is kept, for a customer of its own."""
    metadata = {"payment": str(group_id)}
    return {
        "mode": "setup",
        "allowed_payment_method_types": ["card"],
        "customer_email": wanted.email,
        "customer_creation": "always",
        "client_reference_id": str(group_id),
        "setup_intent_data": {"metadata": metadata, "description": wanted.title},
        "metadata": metadata,
        "success_url": f"{wanted.return_url}?payment=done",
        "cancel_url": wanted.return_url,
        "expires_at": until,
    }
