"""Changes of payments that a decision writes: the part `payments` of app.apply_bookings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from porchlight.features.bookings.facts import PaymentMode
from porchlight.features.bookings.states import Actor

# Why money goes back: the person or the guru canceled, the guru declined or did not answer, the person did not come,
# the seat was gone when the payment arrived, the guru wanted to, the person came after all, the guru took sessions of a
# package back, or staff wanted to (`support`).
RefundReason = Literal[
    "canceled", "guru_canceled", "declined", "not_answered", "missed", "seat_lost", "goodwill", "attended",
    "taken_back", "support",
]  # fmt: skip
# A payment that will not come: Stripe's page closed, or could not be opened. What a person owes and the bank did not
# pay stays unpaid, and is released once they owe nothing.
EndedState = Literal["expired", "failed", "unpaid", "released"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginPayment:
    """A payment to begin for a hold. `checkout`: the parameters of Stripe's page, for the first of a group.

    With `is_owed`, the booking has ended, and what the person owes of it is paid instead of by the card that was kept.
    """

    id: UUID
    booking_id: UUID
    group_id: UUID
    number: int
    mode: PaymentMode
    amount_cents: int
    fee_cents: int
    fee_bps: int
    fee_minimum_cents: int
    expires_at: datetime
    is_owed: bool = False
    checkout: Mapping[str, Any] | None = None

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        values = asdict(self)
        checkout = values.pop("checkout")
        return {"begin": values} | ({"checkout": checkout} if checkout else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentPaid:
    """A payment that arrived, with its objects at Stripe and the card. `checked_at`: when they were fetched."""

    id: UUID
    intent_id: str
    charge_id: str
    card_brand: str
    card_last4: str
    checked_at: datetime

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"paid": asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentEnded:
    """A payment that will not come."""

    id: UUID
    state: EndedState
    error_code: str = ""

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"ended": asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentCanceled:
    """A payment that the person gave up. `close`: close Stripe's page, once for a group."""

    id: UUID
    close: bool

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"canceled": self.id, "close": self.close}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRefund:
    """Money to return. `fee_cents` of the amount is the platform's, the rest the guru's.

    `again_of`: the first refund that staff send again with this one. `idempotency_key` and `digest` are of a guru's
    request.
    """

    id: UUID
    payment_id: UUID
    amount_cents: int
    fee_cents: int
    reason: RefundReason
    actor: Actor
    again_of: UUID | None = None
    idempotency_key: str = ""
    digest: bytes | None = None

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"refund": asdict(self) | {"digest": f"\\x{self.digest.hex()}" if self.digest else None}}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardKept:
    """A card that Stripe keeps for a booking, with its objects at Stripe. `checked_at`: when they were fetched."""

    id: UUID
    customer_id: str
    method_id: str
    card_brand: str
    card_last4: str
    checked_at: datetime

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"kept": asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeCard:
    """A charge of the card that is kept, of what the person owes now that the booking has ended."""

    id: UUID
    amount_cents: int
    fee_cents: int

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"charge": asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReleased:
    """A payment of which nothing is owed any more. Its card is not kept (`settlement.cards.release`)."""

    id: UUID

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return {"released": self.id}


PaymentChange = (
    BeginPayment | PaymentPaid | PaymentEnded | PaymentCanceled | NewRefund | CardKept | ChargeCard | CardReleased
)
