"""Whether a booking still needs a waiver."""

from __future__ import annotations

from porchlight.features.bookings.terms import AnyBooking


def lacks_waiver(booking: AnyBooking) -> bool:
    """Return whether the session needs a waiver that is not valid at its start."""
    if not booking.waiver_level:
        return False
    return booking.waiver_until is None or booking.waiver_until <= booking.starts_at
