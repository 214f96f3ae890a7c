"""The calendar file of a user's session: the same bytes as in the email about its last change."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.calendar_events import IN_CALENDAR, UNSEEN_EVENTS, EventOrigin, person_event
from porchlight.features.bookings.models import Booking, BookingEvent
from porchlight.ports import CalendarFile
from porchlight.settings.environment import Settings
from tenants.kit.email_addresses import split_sender
from tenants.kit.errors import NotFound


async def session_file(
    session: AsyncSession, settings: Settings, user_id: UUID, booking_id: UUID, *, email: str
) -> CalendarFile:
    """Return the calendar file of a user's booking; a canceled one removes the event.

    Raises NotFound, also for a booking that was never confirmed.
    """
    query = select(Booking).where(Booking.person_id == user_id, Booking.id == booking_id)
    booking = await session.scalar(query)
    if booking is None:
        raise NotFound
    is_canceled = booking.status == "canceled" and booking.confirmed_at is not None
    if booking.status not in IN_CALENDAR and not is_canceled:
        raise NotFound
    last_change = select(func.max(BookingEvent.at)).where(
        BookingEvent.tenant_id == booking.tenant_id,
        BookingEvent.booking_id == booking.id,
        BookingEvent.event.not_in(UNSEEN_EVENTS),
    )
    origin = EventOrigin(
        settings.main_origin, settings.base_host, split_sender(settings.sender)[1], settings.reply_domain
    )
    return person_event(
        booking, origin, booking.customer_email or email, await session.scalar(last_change) or booking.created_at
    )
