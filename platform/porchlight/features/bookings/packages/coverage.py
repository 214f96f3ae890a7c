"""Which bookings a package covers, and when a booking returns what it used of one: decided without a database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from porchlight.features.bookings.facts import BookingSnapshot, GrantSnapshot
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import terms_at


def can_cover(grant: GrantSnapshot, booking: BookingSnapshot) -> bool:
    """Return whether a package has a session for each spot of a booking, which starts before the package ends.

    None while a bank decides who gets its money.
    """
    if grant.payment is not None and grant.payment.is_disputed:
        return False
    is_for_it = grant.person_id == booking.person_id and grant.service_id == booking.service_id
    return is_for_it and grant.left_over >= booking.party and booking.starts_at < grant.expires_at


def covered_by(grant: GrantSnapshot, bookings: Iterable[BookingSnapshot]) -> list[BookingSnapshot]:
    """Return those of some bookings of one party that a package covers: the earliest ones, as many as it has left."""
    left, found = grant.left_over, []
    for booking in sorted(bookings, key=lambda one: (one.starts_at, one.id)):
        if left >= booking.party and can_cover(grant, booking):
            left -= booking.party
            found.append(booking)
    return found


def is_returned(booking: BookingSnapshot, status: Status, actor: Actor, now: datetime) -> bool:
    """Return whether a booking that gets this status returns what it used of a package.

    It does wherever it would cost nothing without one: unless the person cancels it late or misses it, on terms by
    which that costs a share of the price.
    """
    if status in (Status.DECLINED, Status.EXPIRED):
        return True
    if status is Status.MISSED:
        return int(booking.terms["missed_percent"]) == 0
    if status is not Status.CANCELED:
        return False
    if actor is not Actor.PERSON or booking.status is not Status.CONFIRMED:
        return True
    return not is_late(booking, now)


def is_late(booking: BookingSnapshot, now: datetime) -> bool:
    """Return whether a cancellation costs a share of the price now."""
    return terms_at(booking, now).free_until is None and int(booking.terms["late_percent"]) > 0
