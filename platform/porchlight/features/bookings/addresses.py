"""Correct where to meet, for a session at the place of the person who booked."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import case, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import NO_ADDRESS, lock_calendar, own_booking
from porchlight.features.bookings.errors import BookingChanged, TooManyAddresses
from porchlight.features.bookings.models import Booking, BookingEvent
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

MAX_CHANGES = 10  # of the address of a confirmed session, each with emails to both sides


async def change_address(session: AsyncSession, user_id: UUID, booking_id: UUID, address: str) -> None:
    """Change the address of a user's booking or request, until the session ends.

    Both sides of a confirmed booking get an email, which updates their calendars. The address that it has already
    changes nothing. Raises NotFound, ValidationFailed without an address, TooManyAddresses, and BookingChanged if the
    session is not at the person's place, or doesn't take place anymore.
    """
    await own_booking(session, user_id, booking_id)
    if not address:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    await lock_calendar(session)
    booking = await own_booking(session, user_id, booking_id)
    is_open = booking.status in ("requested", "confirmed") and booking.ends_at > clock.now()
    if not is_open or booking.place != "person":
        raise BookingChanged
    if booking.person_address == address:
        return
    if await _changes(session, booking) >= MAX_CHANGES:
        raise TooManyAddresses
    await session.execute(
        update(Booking)
        .where(Booking.tenant_id == booking.tenant_id, Booking.id == booking.id)
        .values(
            person_address=address,
            # The emails about a request that are on their way stay valid.
            sequence=case((Booking.status == "confirmed", Booking.sequence + 1), else_=Booking.sequence),
        )
        .execution_options(synchronize_session=False)
    )


async def _changes(session: AsyncSession, booking: Booking) -> int:
    """Return how often the person has changed the address of a booking since it was confirmed."""
    query = select(func.count()).where(
        BookingEvent.tenant_id == booking.tenant_id,
        BookingEvent.booking_id == booking.id,
        BookingEvent.event == "place_changed",
        BookingEvent.actor == "person",
    )
    return await session.scalar(query) or 0
