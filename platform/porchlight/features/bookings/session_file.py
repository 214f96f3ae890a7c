"""The calendar file of a user's session: the same event as in the invitation by email."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.invitations import Invitation, invitation_file
from porchlight.features.bookings.models import Booking, BookingEvent
from porchlight.ports import CalendarFile
from porchlight.settings.environment import Settings
from tenants.kit.email_addresses import split_sender
from tenants.kit.errors import NotFound

IN_CALENDAR = ("confirmed", "completed", "missed")


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
        BookingEvent.tenant_id == booking.tenant_id, BookingEvent.booking_id == booking.id
    )
    return invitation_file(
        Invitation(
            booking_id=booking.id,
            sequence=booking.sequence,
            method="cancel" if is_canceled else "request",
            changed_at=await session.scalar(last_change) or booking.created_at,
            starts_at=booking.starts_at,
            ends_at=booking.ends_at,
            summary=f"{booking.service_name} with {booking.guru_name}",
            description=f"{settings.main_origin}/sessions/{booking.id}",
            location=booking.person_address if booking.place == "person" else booking.place_text,
            organizer_name=booking.guru_name,
            organizer_address=split_sender(settings.sender)[1],
            attendee_name=booking.person_name,
            attendee_address=email,
            base_host=settings.base_host,
        )
    )
