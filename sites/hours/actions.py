"""Actions on a guru's hours, booking settings and fixed starts.

Each runs in the unit of work of the tenant, and locks the calendar first. A guru without a calendar gets the
proposed one with the first action, without open services: the site is older than the hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from sqlalchemy import ColumnElement, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import Range, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.holds import SessionBookings
from sites.hours.local_days import MINUTES_PER_DAY, MinuteRange
from sites.hours.models import Appointment, BookingSettings, Calendar, DateHours, WeeklyHours
from sites.hours.proposal import NO_CALENDAR_REVISION, propose_hours
from sites.hours.questions import question_rows, require_clear_questions
from sites.hours.service_settings import (
    STANDARD_TERMS,
    ServiceBookingInput,
    require_bookable,
    require_fair_terms,
    require_fitting_hours,
    require_notice_within_horizon,
    require_place,
    require_reason_for_card,
)
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.zones import canonical_zone, local_time

MAX_RANGES = 8  # per day
MAX_DATES = 366  # per guru, from today on
MAX_FIXED_STARTS = 500  # per guru, that have not ended
MAX_DAYS_AHEAD = 731

# Columns of a calendar that its guru can change.
EDITABLE_COLUMNS = frozenset(
    {"zone", "step_minutes", "notice_minutes", "horizon_days", "day_max", "paused_until"},
)
_LOCK = select(Calendar).from_statement(text("SELECT * FROM app.lock_calendar()"))
# Ranges that touch are one, as in OpeningHours.on.
_LONGEST_RANGE = text("""
WITH joined AS (
  SELECT unnest(range_agg(during)) AS during FROM weekly_hours WHERE tenant_id = :tenant GROUP BY weekday
   UNION ALL
  SELECT unnest(range_agg(during)) FROM date_hours WHERE tenant_id = :tenant GROUP BY day
), lengths AS (
  SELECT lower(during) AS start, upper(during) AS stop, upper(during) - lower(during) AS length FROM joined
)
SELECT greatest(
         coalesce(max(length), 0),
         coalesce(max(length) FILTER (WHERE stop = :midnight), 0) + coalesce(max(length) FILTER (WHERE start = 0), 0))
  FROM lengths""")
_SERVICE_MINUTES = text("SELECT duration_minutes FROM services WHERE tenant_id = :tenant AND id = :service")


class HoursConflict(Conflict):
    """The hours, the settings or a service were changed since this form was opened."""

    code = "changed_elsewhere"
    message = "Your hours or services were changed in another tab or on another device. Your changes aren't lost."


class TimeTaken(Conflict):
    """Another live appointment, with its setup and cleanup, overlaps."""

    code = "time_taken"
    message = "You already have a session or a blocked time then. Cancel or move it first, or choose another time."


class StartBooked(Conflict):
    """Spots of the session are taken."""

    code = "start_booked"
    message = "Neighbors have booked this session. Please cancel the session instead."


async def update_calendar(session: AsyncSession, tenant_id: UUID, changes: Mapping[str, Any], *, revision: int) -> None:
    """Update columns among EDITABLE_COLUMNS.

    Raise HoursConflict, ValidationFailed for an unknown zone and for a notice that is longer than the horizon.
    """
    if unknown := changes.keys() - EDITABLE_COLUMNS:
        raise ValueError(f"not editable: {', '.join(sorted(unknown))}")
    calendar = await lock_calendar(session, tenant_id, revision)
    if changes.keys() & {"notice_minutes", "horizon_days"}:
        require_notice_within_horizon(
            changes.get("notice_minutes", calendar.notice_minutes), changes.get("horizon_days", calendar.horizon_days)
        )
    if "zone" in changes:
        changes = {**changes, "zone": _canonical_zone(changes["zone"])}
    if changes:
        await session.execute(update(Calendar).where(Calendar.tenant_id == tenant_id).values(**changes))


async def set_weekly_hours(
    session: AsyncSession, tenant_id: UUID, week: Mapping[int, Sequence[MinuteRange]], *, revision: int
) -> None:
    """Replace the hours of all weekdays (Monday is 0) and confirm the calendar. A weekday without ranges is closed.

    The ranges of a day do not overlap. Raise HoursConflict.
    """
    await lock_calendar(session, tenant_id, revision)
    await session.execute(delete(WeeklyHours).where(WeeklyHours.tenant_id == tenant_id))
    rows = [
        {"tenant_id": tenant_id, "weekday": weekday, "during": Range(start, end)}
        for weekday, ranges in week.items()
        for start, end in ranges
    ]
    if rows:
        await session.execute(insert(WeeklyHours), rows)
    await session.execute(
        update(Calendar)
        .where(Calendar.tenant_id == tenant_id)
        .values(confirmed_at=func.coalesce(Calendar.confirmed_at, clock.now()))
    )


async def set_date_hours(session: AsyncSession, tenant_id: UUID, day: date, ranges: Sequence[MinuteRange]) -> None:
    """Replace the hours of one date; without ranges, it is closed.

    The ranges do not overlap. Raise Conflict for a past day, one more than two years ahead, and above MAX_DATES.
    """
    calendar = await lock_calendar(session, tenant_id)
    today = clock.now().astimezone(ZoneInfo(calendar.zone)).date()
    if day < today:
        raise Conflict("That day has passed. Please choose a later one.")
    if day > today + timedelta(days=MAX_DAYS_AHEAD):
        raise Conflict("Please choose a day within the next two years.")
    await session.execute(delete(DateHours).where(DateHours.tenant_id == tenant_id, DateHours.day == day))
    count = await session.scalar(
        select(func.count(DateHours.day.distinct())).where(DateHours.tenant_id == tenant_id, DateHours.day >= today)
    )
    if (count or 0) >= MAX_DATES:
        raise Conflict(f"You can set the hours of up to {MAX_DATES} dates. Please remove one first.")
    during = [Range(start, end) for start, end in ranges] or [Range(empty=True)]
    await session.execute(
        insert(DateHours), [{"tenant_id": tenant_id, "day": day, "during": found} for found in during]
    )


async def delete_date_hours(session: AsyncSession, tenant_id: UUID, day: date) -> None:
    """Remove the hours of one date, so that those of its weekday hold. Raise NotFound if it has none."""
    await lock_calendar(session, tenant_id)
    query = delete(DateHours).where(DateHours.tenant_id == tenant_id, DateHours.day == day).returning(DateHours.day)
    if (await session.scalars(query)).first() is None:
        raise NotFound


async def update_service_booking(
    session: AsyncSession, tenant_id: UUID, service_id: UUID, settings: ServiceBookingInput, *, revision: int
) -> None:
    """Replace the booking settings of a service. Sessions and bookings that exist keep theirs.

    Raise NotFound, HoursConflict, Conflict for an open service without a length of 15 to 480 minutes or with one for
    which the hours are too short, and ValidationFailed for one without the address or link that people need, and for
    terms that contradict each other, and questions that can't be asked.
    """
    minutes = await service_minutes(session, tenant_id, service_id)
    await lock_calendar(session, tenant_id, revision)
    require_fair_terms(settings.terms)
    require_reason_for_card(settings.payment, settings.policy, settings.terms)
    require_clear_questions(settings.questions)
    if settings.open:
        require_bookable(minutes)
        require_place(settings.place, settings.place_text)
        if settings.starts == "hours":
            require_fitting_hours(minutes or 0, await _longest_range(session, tenant_id))
    values = asdict(settings) | {"questions": question_rows(settings.questions)}
    del values["terms"]
    values |= asdict(settings.terms or STANDARD_TERMS[settings.policy])
    await session.execute(
        insert(BookingSettings)
        .values(tenant_id=tenant_id, service_id=service_id, **values)
        .on_conflict_do_update(index_elements=[BookingSettings.tenant_id, BookingSettings.service_id], set_=values)
    )


async def create_fixed_start(
    session: AsyncSession, bookings: SessionBookings, tenant_id: UUID, service_id: UUID, starts_at: datetime
) -> UUID:
    """Create a session of a service with fixed starts, and return its id. Its length and spots are the service's.

    Raise NotFound, ValidationFailed for a time in the past or more than two years ahead, TimeTaken, and Conflict above
    MAX_FIXED_STARTS or for a service whose sessions start within the hours.
    """
    calendar = await lock_calendar(session, tenant_id)
    minutes = await service_minutes(session, tenant_id, service_id)
    settings = await session.get(BookingSettings, (tenant_id, service_id), populate_existing=True)
    if settings is None or settings.starts != "fixed":
        raise Conflict("This service follows your hours. Please choose fixed starts in its booking settings first.")
    minutes = require_bookable(minutes)
    now = clock.now()
    if not now < starts_at <= now + timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(fields={"startsAt": "Choose a time within the next two years."})
    if await count_current(session, tenant_id, Appointment.fixed.is_(True)) >= MAX_FIXED_STARTS:
        raise Conflict(f"You can have up to {MAX_FIXED_STARTS} fixed starts. Please remove one first.")
    ends_at = starts_at + timedelta(minutes=minutes)
    blocked = Range(
        starts_at - timedelta(minutes=settings.setup_minutes), ends_at + timedelta(minutes=settings.cleanup_minutes)
    )
    return await insert_appointment(
        session,
        bookings,
        {
            "tenant_id": tenant_id,
            "service_id": service_id,
            "fixed": True,
            "starts_at": starts_at,
            "ends_at": ends_at,
            "zone": calendar.zone,
            "local_start": local_time(starts_at, calendar.zone),
            "blocked": blocked,
            "capacity": settings.capacity,
        },
    )


async def delete_fixed_start(
    session: AsyncSession, bookings: SessionBookings, tenant_id: UUID, service_id: UUID, start_id: UUID
) -> None:
    """End a session with a fixed start that no neighbor has booked. Raise NotFound, StartBooked.

    The row is kept, because bookings that were canceled refer to it.
    """
    await lock_calendar(session, tenant_id)
    found = await session.scalar(
        select(Appointment.id).where(
            Appointment.tenant_id == tenant_id,
            Appointment.id == start_id,
            Appointment.service_id == service_id,
            Appointment.fixed.is_(True),
            Appointment.live.is_(True),
        )
    )
    if found is None:
        raise NotFound
    if not await bookings.end_session(session, start_id):
        raise StartBooked


async def set_session_place(
    session: AsyncSession, tenant_id: UUID, appointment_id: UUID, place: str, place_text: str
) -> None:
    """Give one session another place than its service has. The caller holds the lock of the calendar."""
    is_session = (Appointment.tenant_id == tenant_id, Appointment.id == appointment_id)
    await session.execute(update(Appointment).where(*is_session).values(place=place, place_text=place_text))


async def lock_calendar(session: AsyncSession, tenant_id: UUID, revision: int | None = None) -> Calendar:
    """Lock the calendar and return it. Raise HoursConflict if it has another revision."""
    calendar: Calendar | None = await session.scalar(_LOCK, execution_options={"populate_existing": True})
    if calendar is None:
        await propose_hours(session, tenant_id, open_services=False)
        calendar = await session.scalar(_LOCK, execution_options={"populate_existing": True})
        expected = NO_CALENDAR_REVISION
    else:
        expected = calendar.rules_version
    if calendar is None:
        raise NotFound
    if revision is not None and revision != expected:
        raise HoursConflict
    return calendar


def _canonical_zone(zone: str) -> str:
    """Return today's name of a zone. Raise ValidationFailed for an unknown one."""
    try:
        return canonical_zone(zone)
    except KeyError:
        raise ValidationFailed(fields={"zone": "Choose a time zone from the list."}) from None


async def service_minutes(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> int | None:
    """Return the length of a service, or None for one without bookable slots. Raise NotFound."""
    row = (await session.execute(_SERVICE_MINUTES, {"tenant": tenant_id, "service": service_id})).one_or_none()
    if row is None:
        raise NotFound
    (minutes,) = row
    return cast(int | None, minutes)


async def _longest_range(session: AsyncSession, tenant_id: UUID) -> int:
    """Return the length of the longest hours without a break in minutes, 0 without hours. They may pass midnight."""
    parameters = {"tenant": tenant_id, "midnight": MINUTES_PER_DAY}
    longest: int = (await session.execute(_LONGEST_RANGE, parameters)).scalar_one()
    return longest


async def count_current(session: AsyncSession, tenant_id: UUID, condition: ColumnElement[bool]) -> int:
    """Return how many live appointments that match have not ended."""
    query = select(func.count()).select_from(Appointment)
    query = query.where(Appointment.tenant_id == tenant_id, Appointment.live, Appointment.ends_at > clock.now())
    return await session.scalar(query.where(condition)) or 0


async def insert_appointment(session: AsyncSession, bookings: SessionBookings, values: dict[str, Any]) -> UUID:
    """Insert an appointment. Lapsed holds end first: a constraint does not see that their time has passed."""
    await bookings.end_due(session)
    appointment_id = new_id()
    with refused_overlaps():
        await session.execute(insert(Appointment).values(id=appointment_id, **values))
    return appointment_id


@contextmanager
def refused_overlaps() -> Iterator[None]:
    """Raise TimeTaken where the statement inside makes two live appointments of the guru overlap."""
    try:
        yield
    except IntegrityError as error:
        if isinstance(error.orig, psycopg.errors.ExclusionViolation):
            raise TimeTaken from error
        raise
