"""Answer requests, cancel bookings and sessions, record attendance: the actions of a guru on bookings."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from sites.hours.models import Appointment
from tenants.kit.errors import NotFound


async def answer_request(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, accept: bool, reason: str, whole_series: bool
) -> None:
    """Accept or decline a request, or all open requests of its series.

    Raises NotFound, and BookingChanged once it was answered, withdrawn or expired.
    """
    await find_booking(session, tenant_id, booking_id)
    command = commands.AnswerRequest(id=booking_id, accept=accept, whole_series=whole_series, reason=reason)
    require((await store.run_in(session, FactsQuery(ids=[booking_id], series=whole_series), command)).refusal)


async def cancel_booking(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, reason: str) -> None:
    """Cancel a confirmed booking, for which nothing is owed. Raises NotFound, BookingChanged."""
    await find_booking(session, tenant_id, booking_id)
    command = commands.Cancel(id=booking_id, actor=Actor.GURU, reason=reason)
    require((await store.run_in(session, FactsQuery(ids=[booking_id]), command)).refusal)


async def cancel_session(session: AsyncSession, tenant_id: UUID, appointment_id: UUID, *, reason: str) -> list[Booking]:
    """Cancel a session with all its bookings, and return those that people had sent.

    Requests are declined and holds end. Raises NotFound, and BookingChanged once the session was canceled or has ended.
    """
    is_session = (Appointment.tenant_id == tenant_id, Appointment.id == appointment_id, Appointment.kind == "session")
    if await session.scalar(select(Appointment.id).where(*is_session)) is None:
        raise NotFound
    command = commands.CancelSession(session_id=appointment_id, reason=reason)
    decision = await store.run_in(session, FactsQuery(appointment=appointment_id), command)
    require(decision.refusal)
    sent = [one.id for one in decision.change.updates if one.was != "held" and one.actor is Actor.GURU]
    query = select(Booking).where(Booking.tenant_id == tenant_id, Booking.id.in_(sent))
    query = query.order_by(Booking.created_at, Booking.id)
    return list(await session.scalars(query.execution_options(populate_existing=True)))


async def record_attendance(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, missed: bool) -> None:
    """Record that a person missed a session, or that they attended after all.

    For a missed session, the share of the price in the booking's terms is owed, rounded up to a whole cent. Raises
    NotFound, BookingChanged, and AttendanceClosed before the end of the session and from 48 hours after it on.
    """
    await find_booking(session, tenant_id, booking_id)
    command = commands.RecordAttendance(id=booking_id, missed=missed)
    require((await store.run_in(session, FactsQuery(ids=[booking_id]), command)).refusal)
