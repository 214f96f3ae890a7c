"""The terms of a booking at a point in time: what a cancellation costs, and whether it can be moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.models import Booking

AnyBooking = Booking | BookingSnapshot  # a row, or the state that is decided on


@dataclass(frozen=True, slots=True)
class CurrentTerms:
    """The terms that apply now. `free_until` and `move_until` are times, None once they have passed.

    `late_cents` and `missed_cents`: what a cancellation after `free_until` and a missed session cost.
    """

    owed_cents: int
    late_cents: int
    missed_cents: int
    free_until: datetime | None
    moves_left: int
    move_until: datetime | None
    digest: str

    @property
    def can_move(self) -> bool:
        """Whether the booking can be moved now."""
        return self.moves_left > 0 and self.move_until is not None


def terms_at(booking: AnyBooking, now: datetime) -> CurrentTerms:
    """Return the terms of a booking that apply at a time."""
    return current_terms(
        booking.terms,
        price_cents=booking.price_cents,
        starts_at=booking.starts_at,
        moves=booking.moves,
        now=now,
        proposed_until=booking.proposed_until,
        late_since=booking.late_since,
    )


def share_cents(price_cents: int, percent: Any) -> int:
    """Return a percentage of a price, rounded up to a whole cent."""
    return -(-price_cents * int(percent) // 100)


def current_terms(
    terms: Mapping[str, Any],
    *,
    price_cents: int,
    starts_at: datetime,
    moves: int,
    now: datetime,
    proposed_until: datetime | None = None,
    late_since: datetime | None = None,
) -> CurrentTerms:
    """Return the terms of a confirmed booking at the time `now`, from the terms that the booking copied.

    A cancellation is free until `free_until_minutes` before the start; after it, `late_percent` of the price is owed,
    rounded up to a whole cent. It stays owed after a move that the person made then, at `late_since`, so that a move
    does not avoid it. A cancellation is free while the guru's proposal of another time is open, until `proposed_until`.
    The digest changes with everything that the user is shown.
    """
    free_until = starts_at - timedelta(minutes=int(terms["free_until_minutes"]))
    if late_since is not None:
        free_until = min(free_until, late_since)
    if proposed_until is not None:
        free_until = max(free_until, proposed_until)
    move_until = starts_at - timedelta(minutes=int(terms["move_until_minutes"]))
    is_free = now < free_until
    late_cents = share_cents(price_cents, terms["late_percent"])
    owed_cents = 0 if is_free else late_cents
    moves_left = max(int(terms["moves_max"]) - moves, 0)
    shown = (owed_cents, is_free, moves_left, now < move_until, starts_at.isoformat())
    return CurrentTerms(
        owed_cents,
        late_cents,
        share_cents(price_cents, terms["missed_percent"]),
        free_until if is_free else None,
        moves_left,
        move_until if now < move_until else None,
        sha256(repr(shown).encode()).hexdigest()[:32],
    )
