"""The rest of a series: which sessions it has, what they cost to cancel, and a digest of what the person sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.series.schemas import MAX_SESSIONS
from porchlight.features.bookings.states import Status
from porchlight.features.bookings.terms import AnyBooking, terms_at


def following_of(first: BookingSnapshot, bookings: Iterable[BookingSnapshot], now: datetime) -> list[BookingSnapshot]:
    """Return the open bookings of a series from one on, the earliest first.

    Raises CommandRefused if that one is not open.
    """
    if first.status not in (Status.REQUESTED, Status.CONFIRMED) or first.starts_at <= now:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    found = [
        one
        for one in bookings
        if one.series_id == first.series_id
        and one.person_id == first.person_id
        and one.status in (Status.REQUESTED, Status.CONFIRMED)
        and one.starts_at >= first.starts_at
    ]
    return sorted(found, key=lambda one: (one.starts_at, one.id))[:MAX_SESSIONS]


def others_of_series(booking: BookingSnapshot, bookings: Iterable[BookingSnapshot]) -> list[BookingSnapshot]:
    """Return the other bookings of the same person's series."""
    return [
        one
        for one in bookings
        if booking.series_id is not None
        and one.series_id == booking.series_id
        and one.person_id == booking.person_id
        and one.id != booking.id
    ]


def owed_for(booking: AnyBooking, now: datetime) -> int:
    """Return what the person owes if they cancel a booking now. A request costs nothing."""
    return terms_at(booking, now).owed_cents if booking.status == Status.CONFIRMED else 0


def digest_of(bookings: Sequence[AnyBooking], now: datetime) -> str:
    """Return a digest of sessions and their terms, as the person sees them."""
    shown = [(str(one.id), str(one.status), terms_at(one, now).digest) for one in bookings]
    return sha256(repr(shown).encode()).hexdigest()[:32]
