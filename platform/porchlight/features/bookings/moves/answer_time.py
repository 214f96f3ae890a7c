"""How long the person has to answer when the guru proposes another time, and when the guru can propose one."""

from __future__ import annotations

from datetime import datetime, timedelta

from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.terms import AnyBooking

MAX_PROPOSALS = 5  # of a booking, because each is an email
ANSWER_HOURS = 24
ANSWER_HOURS_BEFORE_START = 2  # of the present or the proposed start, whichever is earlier
MIN_ANSWER_MINUTES = 15


def is_open(booking: AnyBooking, now: datetime) -> bool:
    """Return whether the person can answer the guru's proposal for a booking now."""
    return booking.proposed_until is not None and booking.proposed_until > now


def answer_until(booking: AnyBooking, starts_at: datetime, now: datetime) -> datetime | None:
    """Return until when the person can answer a proposal that is made now, or None if that leaves no time."""
    latest = min(booking.starts_at, starts_at) - timedelta(hours=ANSWER_HOURS_BEFORE_START)
    if latest < now + timedelta(minutes=MIN_ANSWER_MINUTES):
        return None
    return min(now + timedelta(hours=ANSWER_HOURS), latest)


def is_proposable(booking: AnyBooking, now: datetime) -> bool:
    """Return whether a booking is confirmed or asked for now, and no proposal is open."""
    if is_open(booking, now):
        return False
    is_asked = booking.status == "requested" and booking.expires_at is not None and booking.expires_at > now
    return is_asked or booking.status == "confirmed"


def can_propose(booking: Booking, now: datetime) -> bool:
    """Return whether the guru can propose another time for a booking or a request now.

    A customer without an account can't answer.
    """
    if booking.customer_token is not None or not is_proposable(booking, now):
        return False
    if booking.proposals >= MAX_PROPOSALS:
        return False
    return answer_until(booking, booking.starts_at, now) is not None
