"""Change where a session takes place, for everyone who has booked it or will."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.store import FactsQuery
from sites.hours.actions import set_session_place
from sites.hours.models import Appointment
from sites.hours.service_settings import require_place
from tenants.kit.errors import NotFound

OPEN = ("held", "requested", "confirmed")


async def change_place(
    session: AsyncSession, tenant_id: UUID, appointment_id: UUID, *, place: str, place_text: str
) -> Sequence[Booking]:
    """Change the place of a session, and return the bookings that people have sent.

    Both sides of each confirmed booking get an email, which updates their calendars. The place that a session has
    already changes nothing. Raises NotFound, BookingChanged once the session was canceled or has ended, and
    ValidationFailed without the address or link, or for the place of a person who gave no address.
    """
    is_session = (Appointment.tenant_id == tenant_id, Appointment.id == appointment_id, Appointment.kind == "session")
    if await session.scalar(select(Appointment.id).where(*is_session)) is None:
        raise NotFound
    require_place(place, place_text)
    command = commands.ChangePlace(session_id=appointment_id, place=place, place_text=place_text)
    require((await store.run_in(session, FactsQuery(appointment=appointment_id), command)).refusal)
    await set_session_place(session, tenant_id, appointment_id, place, place_text)
    is_open = (Booking.tenant_id == tenant_id, Booking.appointment_id == appointment_id, Booking.status.in_(OPEN))
    query = select(Booking).where(*is_open, Booking.status != "held").order_by(Booking.created_at, Booking.id)
    return (await session.scalars(query.execution_options(populate_existing=True))).all()
