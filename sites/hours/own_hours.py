"""Reading a guru's hours, blocked times, booking settings and fixed starts, for the guru."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession

from sites.guru import OFFERS_SQL
from sites.hours.actions import MAX_DATES, MAX_FIXED_STARTS, MAX_RANGES, service_minutes
from sites.hours.blocks import MAX_BLOCKS
from sites.hours.local_days import MinuteRange, wall_time
from sites.hours.models import Appointment, BookingSettings, Calendar, DateHours, WeeklyHours
from sites.hours.proposal import DEFAULT_ZONE, NO_CALENDAR_REVISION, PROPOSED_RANGE, PROPOSED_WEEKDAYS
from sites.hours.rules import OpeningHours
from sites.hours.service_settings import default_settings
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound


@dataclass(frozen=True, slots=True)
class OwnCalendar:
    """A guru's calendar with its hours: by weekday (Monday is 0), and of dates from today on."""

    calendar: Calendar
    week: dict[int, list[MinuteRange]]
    dates: dict[date, list[MinuteRange]]


@dataclass(frozen=True, slots=True)
class OwnServiceBooking:
    """The booking settings of a service, its length in minutes, and the calendar's revision."""

    settings: BookingSettings
    minutes: int | None
    revision: int


@dataclass(frozen=True, slots=True)
class BookingState:
    """The facts that decide whether a service can be booked at all. `is_shown`: visitors see the guru's services."""

    minutes: int | None
    is_open: bool
    is_shown: bool


_BOOKING_STATE = f"""
SELECT s.duration_minutes AS minutes, coalesce(b.open, false) AS is_open, {OFFERS_SQL} AS is_shown
  FROM services s LEFT JOIN booking_settings b ON b.tenant_id = s.tenant_id AND b.service_id = s.id
 WHERE s.tenant_id = %(tenant)s AND s.id = %(service)s"""  # noqa: S608 - constants only

_OPEN_SERVICES = select(BookingSettings.service_id).where(  # built once, because that takes longer than the query
    BookingSettings.tenant_id == bindparam("tenant"), BookingSettings.open
)


async def own_calendar(session: AsyncSession, tenant_id: UUID) -> OwnCalendar:
    """Return the calendar, or for a guru without one the proposal that the first action creates."""
    calendar = await _calendar(session, tenant_id)
    if calendar.rules_version == NO_CALENDAR_REVISION:
        return OwnCalendar(calendar, {weekday: [PROPOSED_RANGE] for weekday in PROPOSED_WEEKDAYS}, {})
    week: dict[int, list[MinuteRange]] = {}
    hours = select(WeeklyHours.weekday, WeeklyHours.during).where(WeeklyHours.tenant_id == tenant_id)
    for weekday, during in await session.execute(hours.order_by(WeeklyHours.weekday, WeeklyHours.during)):
        week.setdefault(weekday, []).extend(_minute_ranges(during))
    dates: dict[date, list[MinuteRange]] = {}
    today = clock.now().astimezone(ZoneInfo(calendar.zone)).date()
    exceptions = select(DateHours.day, DateHours.during).where(DateHours.tenant_id == tenant_id, DateHours.day >= today)
    exceptions = exceptions.order_by(DateHours.day, DateHours.during).limit(MAX_DATES * MAX_RANGES)
    for day, during in await session.execute(exceptions):
        dates.setdefault(day, []).extend(_minute_ranges(during))
    return OwnCalendar(calendar, week, dates)


async def open_times(
    session: AsyncSession, tenant_id: UUID, zone: ZoneInfo, first_day: date, days: int
) -> list[tuple[datetime, datetime]]:
    """Return the hours of `days` local days as instants in UTC, from and until, in order. None without a calendar."""
    last_day = first_day + timedelta(days=days)
    of_dates = (DateHours.tenant_id == tenant_id, DateHours.day.between(first_day, last_day))
    weekly: dict[int, list[MinuteRange]] = {}
    hours = select(WeeklyHours.weekday, WeeklyHours.during).where(WeeklyHours.tenant_id == tenant_id)
    for weekday, during in await session.execute(hours):
        weekly.setdefault(weekday, []).extend(_minute_ranges(during))
    dates: dict[date, list[MinuteRange]] = {}
    for day, during in await session.execute(select(DateHours.day, DateHours.during).where(*of_dates)):
        dates.setdefault(day, []).extend(_minute_ranges(during))
    opening = OpeningHours(weekly, dates)
    found = [
        (wall_time(zone, day, start).astimezone(UTC), wall_time(zone, day, end).astimezone(UTC))
        for day in (first_day + timedelta(days=offset) for offset in range(days))
        for start, end in opening.on(day)
    ]
    return [(opens_at, closes_at) for opens_at, closes_at in found if opens_at < closes_at]


async def own_blocks(session: AsyncSession, tenant_id: UUID) -> Sequence[Appointment]:
    """Return the blocked times that have not ended, in order."""
    return await _current(session, tenant_id, MAX_BLOCKS, Appointment.kind == "block")


async def own_fixed_starts(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> Sequence[Appointment]:
    """Return the sessions of a service with a fixed start that have not ended, in order. Raise NotFound."""
    await service_minutes(session, tenant_id, service_id)
    return await _current(
        session, tenant_id, MAX_FIXED_STARTS, Appointment.service_id == service_id, Appointment.fixed.is_(True)
    )


async def own_service_booking(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> OwnServiceBooking:
    """Return the booking settings of a service; those of a service without any are the defaults. Raise NotFound."""
    minutes = await service_minutes(session, tenant_id, service_id)
    settings = await session.get(BookingSettings, (tenant_id, service_id), populate_existing=True)
    calendar = await _calendar(session, tenant_id)
    return OwnServiceBooking(settings or default_settings(tenant_id, service_id), minutes, calendar.rules_version)


async def booking_state(db: Database, tenant_id: UUID, service_id: UUID) -> BookingState:
    """Return what decides whether a service can be booked at all. Raise NotFound."""
    rows = await db.read(tenant_id, _BOOKING_STATE, {"tenant": tenant_id, "service": service_id}, row=BookingState)
    if not rows:
        raise NotFound
    return rows[0]


async def open_services(session: AsyncSession, tenant_id: UUID) -> set[UUID]:
    """Return the ids of the services that are open for booking."""
    return set(await session.scalars(_OPEN_SERVICES, {"tenant": tenant_id}))


def _minute_ranges(during: Range[int]) -> list[MinuteRange]:
    """Return the range, or nothing for an empty one, which means closed."""
    return [] if during.lower is None or during.upper is None else [(during.lower, during.upper)]


async def _calendar(session: AsyncSession, tenant_id: UUID) -> Calendar:
    calendar = await session.get(Calendar, tenant_id, populate_existing=True)
    return calendar or Calendar(
        tenant_id=tenant_id,
        zone=DEFAULT_ZONE,
        step_minutes=30,
        notice_minutes=720,
        horizon_days=60,
        rules_version=NO_CALENDAR_REVISION,
    )


async def _current(
    session: AsyncSession, tenant_id: UUID, limit: int, *conditions: ColumnElement[bool]
) -> Sequence[Appointment]:
    query = select(Appointment).where(
        Appointment.tenant_id == tenant_id, Appointment.live, Appointment.ends_at > clock.now(), *conditions
    )
    return (await session.scalars(query.order_by(Appointment.starts_at).limit(limit))).all()
