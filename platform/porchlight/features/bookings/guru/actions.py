"""Answer requests, cancel bookings and sessions, record attendance: the actions of a guru on bookings.

Each change locks the calendar first and is one UPDATE that names the status it changes (docs/bookings.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.errors import AttendanceClosed, BookingChanged
from porchlight.features.bookings.guru.queries import attendance_until, find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.terms import share_cents
from sites.hours.actions import end_session
from sites.hours.models import Appointment
from tenants.kit import clock
from tenants.kit.errors import NotFound

COMPLETED_AFTER_HOURS = 24  # after the end


async def answer_request(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, accept: bool, reason: str, whole_series: bool
) -> None:
    """Accept or decline a request, or all open requests of its series.

    Raises NotFound, and BookingChanged once it was answered, withdrawn or expired.
    """
    booking = await find_booking(session, tenant_id, booking_id)
    await lock_calendar(session)
    now = clock.now()
    values = (
        {"status": "confirmed", "confirmed_at": now}
        if accept
        else {"status": "declined", "ended_by": "guru", "ended_at": now, "reason": reason}
    )
    is_open = (Booking.status == "requested", Booking.expires_at > func.app.now())
    await _change(session, tenant_id, booking_id, *is_open, expires_at=None, **values)
    if whole_series and booking.series_id is not None:
        await session.execute(
            update(Booking)
            .where(Booking.tenant_id == tenant_id, Booking.series_id == booking.series_id, *is_open)
            .where(Booking.person_id == booking.person_id)
            .values(expires_at=None, **values)
            .execution_options(synchronize_session=False)
        )


async def cancel_booking(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, reason: str) -> None:
    """Cancel a confirmed booking, for which nothing is owed. Raises NotFound, BookingChanged."""
    await find_booking(session, tenant_id, booking_id)
    await lock_calendar(session)
    await _change(
        session, tenant_id, booking_id, Booking.status == "confirmed", Booking.ends_at > func.app.now(),
        **_cancellation(reason),
    )  # fmt: skip


async def cancel_session(session: AsyncSession, tenant_id: UUID, appointment_id: UUID, *, reason: str) -> list[Booking]:
    """Cancel a session with all its bookings, and return those that people had sent.

    Requests are declined and holds end. Raises NotFound, and BookingChanged once the session was canceled or has ended.
    """
    is_session = (Appointment.tenant_id == tenant_id, Appointment.id == appointment_id, Appointment.kind == "session")
    if await session.scalar(select(Appointment.id).where(*is_session)) is None:
        raise NotFound
    await lock_calendar(session)
    is_open = select(Appointment.id).where(*is_session, Appointment.live, Appointment.ends_at > func.app.now())
    if await session.scalar(is_open) is None:
        raise BookingChanged
    # It ends first, because a live session would offer its seats to the waitlist.
    await end_session(session, tenant_id, appointment_id)
    return await _end(session, tenant_id, Booking.appointment_id == appointment_id, reason=reason)


async def end_for_guru(session: AsyncSession, tenant_id: UUID, ids: Sequence[UUID], *, reason: str) -> None:
    """Cancel bookings of the guru, for which nothing is owed; requests are declined. The calendar is locked."""
    await _end(session, tenant_id, Booking.id.in_(ids), reason=reason)


async def _end(session: AsyncSession, tenant_id: UUID, condition: ColumnElement[bool], *, reason: str) -> list[Booking]:
    """End the open bookings of a condition, and return those that people had sent."""
    ended = {"ended_by": "guru", "ended_at": clock.now(), "expires_at": None}
    changes: dict[str, dict[str, Any]] = {
        "confirmed": _cancellation(reason),
        "requested": ended | {"status": "declined", "reason": reason},
        "held": ended | {"status": "expired"},
    }
    canceled: list[Booking] = []
    for status, values in changes.items():
        statement = update(Booking).where(Booking.tenant_id == tenant_id, condition, Booking.status == status)
        changed = await session.scalars(
            statement.values(values).returning(Booking).execution_options(synchronize_session=False)
        )
        if status != "held":
            canceled.extend(changed)
    return canceled


async def record_attendance(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, missed: bool) -> None:
    """Record that a person missed a session, or that they attended after all.

    For a missed session, the share of the price in the booking's terms is owed, rounded up to a whole cent. Raises
    NotFound, BookingChanged, and AttendanceClosed before the end of the session and from 48 hours after it on.
    """
    await find_booking(session, tenant_id, booking_id)
    await lock_calendar(session)
    booking = await find_booking(session, tenant_id, booking_id)
    now = clock.now()
    if not booking.ends_at <= now < attendance_until(booking):
        raise AttendanceClosed
    values: dict[str, Any]
    if missed:
        owed_cents = share_cents(booking.price_cents, booking.terms["missed_percent"])
        values = {"status": "missed", "ended_by": "guru", "ended_at": now, "owed_cents": owed_cents}
    else:
        is_over = now >= booking.ends_at + timedelta(hours=COMPLETED_AFTER_HOURS)
        status = "completed" if is_over else "confirmed"
        values = {"status": status, "ended_by": "", "ended_at": None, "owed_cents": 0}
    before = ("confirmed", "completed") if missed else ("missed",)
    await _change(session, tenant_id, booking_id, Booking.status.in_(before), **values)


def _cancellation(reason: str) -> dict[str, Any]:
    return {
        "status": "canceled",
        "ended_by": "guru",
        "ended_at": clock.now(),
        "reason": reason,
        "owed_cents": 0,
        "sequence": Booking.sequence + 1,
    }


async def _change(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, *conditions: ColumnElement[bool], **values: Any
) -> None:
    """Change a booking that meets the conditions. Raises BookingChanged if it does not. The calendar is locked."""
    changed = await session.scalar(
        update(Booking)
        .where(Booking.tenant_id == tenant_id, Booking.id == booking_id, *conditions)
        .values(values)
        .returning(Booking.id)
        .execution_options(synchronize_session=False)
    )
    if changed is None:
        raise BookingChanged
