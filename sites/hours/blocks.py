"""Actions on a guru's blocked times. Each locks the calendar first, like those on the hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.actions import MAX_DAYS_AHEAD, count_current, insert_appointment, lock_calendar, refused_overlaps
from sites.hours.holds import SessionBookings
from sites.hours.models import Appointment
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ProductError, ValidationFailed
from tenants.kit.zones import local_time

MAX_BLOCKS = 500  # per guru, that have not ended


class ReservedTime(Conflict):
    """The time belongs to an exchange, which its two people cancel."""

    code = "session_with_neighbor"
    message = "You agreed on a session with a neighbor then. Cancel it on its page, and this time is free again."


async def create_block(
    session: AsyncSession, bookings: SessionBookings, tenant_id: UUID, starts_at: datetime, ends_at: datetime
) -> UUID:
    """Block a time, so that no session can overlap it, and return its id.

    Raise ValidationFailed for a time in the past or more than two years ahead, Conflict above MAX_BLOCKS, TimeTaken.
    """
    calendar = await lock_calendar(session, tenant_id)
    _require_block_time(starts_at, ends_at)
    if await count_current(session, tenant_id, Appointment.kind == "block") >= MAX_BLOCKS:
        raise Conflict(f"You can have up to {MAX_BLOCKS} blocked times. Please remove one first.")
    values = {"tenant_id": tenant_id, "kind": "block"} | _block_times(starts_at, ends_at, calendar.zone)
    return await insert_appointment(session, bookings, values)


async def update_block(
    session: AsyncSession,
    bookings: SessionBookings,
    tenant_id: UUID,
    block_id: UUID,
    starts_at: datetime,
    ends_at: datetime,
) -> None:
    """Give a blocked time another start and end.

    Raise NotFound, ReservedTime, TimeTaken, and ValidationFailed like `create_block`.
    """
    calendar = await lock_calendar(session, tenant_id)
    _require_block_time(starts_at, ends_at)
    await bookings.end_due(session)
    query = update(Appointment).where(*_is_block(tenant_id, block_id)).returning(Appointment.id)
    with refused_overlaps():
        changed = await session.scalar(query.values(_block_times(starts_at, ends_at, calendar.zone)))
    if changed is None:
        raise await _no_block_error(session, tenant_id, block_id)


async def delete_block(session: AsyncSession, tenant_id: UUID, block_id: UUID) -> None:
    """Remove a blocked time. Raise NotFound, and ReservedTime for that of an exchange with a neighbor."""
    await lock_calendar(session, tenant_id)
    query = delete(Appointment).where(*_is_block(tenant_id, block_id)).returning(Appointment.id)
    if await session.scalar(query) is None:
        raise await _no_block_error(session, tenant_id, block_id)


def _require_block_time(starts_at: datetime, ends_at: datetime) -> None:
    """Raise ValidationFailed for a time that has passed, ends before its start or is more than two years away."""
    now = clock.now()
    if ends_at <= starts_at:
        raise ValidationFailed(fields={"endsAt": "Choose an end after the start."})
    if ends_at <= now:
        raise ValidationFailed(fields={"endsAt": "Choose a time in the future."})
    if not now - timedelta(days=MAX_DAYS_AHEAD) <= starts_at < ends_at <= now + timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(fields={"endsAt": "Choose a time within the next two years."})


def _block_times(starts_at: datetime, ends_at: datetime, zone: str) -> dict[str, Any]:
    return {
        "starts_at": starts_at,
        "ends_at": ends_at,
        "zone": zone,
        "local_start": local_time(starts_at, zone),
        "local_end": local_time(ends_at, zone),
        "blocked": Range(starts_at, ends_at),
    }


def _is_block(tenant_id: UUID, block_id: UUID, kind: str = "block") -> tuple[ColumnElement[bool], ...]:
    return (Appointment.tenant_id == tenant_id, Appointment.id == block_id, Appointment.kind == kind)


async def _no_block_error(session: AsyncSession, tenant_id: UUID, block_id: UUID) -> ProductError:
    """Return why a blocked time was not found: it is that of an exchange with a neighbor, or there is none."""
    reserved = select(Appointment.id).where(*_is_block(tenant_id, block_id, "exchange"))
    return NotFound() if await session.scalar(reserved) is None else ReservedTime()
