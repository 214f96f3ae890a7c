"""Correct where to meet, for a session at the place of the person who booked."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import NO_ADDRESS, own_booking
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.models import Booking, BookingEvent
from porchlight.features.bookings.store import FactsQuery
from tenants.kit.errors import ValidationFailed


async def change_address(session: AsyncSession, user_id: UUID, booking_id: UUID, address: str) -> None:
    """Change the address of a user's booking or request, until the session ends.

    Both sides of a confirmed booking get an email, which updates their calendars. The address that it has already
    changes nothing. Raises NotFound, ValidationFailed without an address, TooManyAddresses, and BookingChanged if the
    session is not at the person's place, or doesn't take place anymore.
    """
    await own_booking(session, user_id, booking_id)
    if not address:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    needs = FactsQuery(ids=[booking_id])
    facts = await store.read_facts(session, needs)
    booking = await own_booking(session, user_id, booking_id)
    command = commands.ChangeAddress(id=booking_id, address=address, changes=await _changes(session, booking))
    require((await store.apply(session, needs, facts, command)).refusal)


async def _changes(session: AsyncSession, booking: Booking) -> int:
    """Return how often the person has changed the address of a booking since it was confirmed."""
    query = select(func.count()).where(
        BookingEvent.tenant_id == booking.tenant_id,
        BookingEvent.booking_id == booking.id,
        BookingEvent.event == "place_changed",
        BookingEvent.actor == "person",
    )
    return await session.scalar(query) or 0
