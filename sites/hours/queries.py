"""Reading the free times of a service. The result of the computation is cached by the calendar's version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from sites.guru import OFFERS_SQL
from sites.hours.cache import FreeStartsCache
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours
from sites.hours.session_schedule import MAX_DAYS, NotOffered, SessionSchedule
from sites.hours.slots import (
    FreeStarts,
    Start,
    StartExplanation,
    bookable_starts,
    explain_start,
    free_starts,
    full_starts,
)
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.kit import clock
from tenants.kit.errors import NotFound

T = TypeVar("T")

# Services that visitors do not see cannot be booked.
_IS_OPEN = f"""
c.tenant_id = %(tenant)s AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL AND {OFFERS_SQL}"""
_IS_SERVICE = f"{_IS_OPEN} AND b.service_id = %(service)s"
_RULE_COLUMNS = """
c.version, c.rules_version, c.zone, c.step_minutes, c.notice_minutes, c.horizon_days, c.day_max, c.paused_until,
s.id, s.duration_minutes, b.setup_minutes, b.cleanup_minutes, b.capacity, b.starts,
b.party_max, b.approval, b.place, b.free_until_minutes, b.late_percent, b.missed_percent,
CASE s.currency WHEN 'USD' THEN b.payment ELSE 'in_person' END AS payment, b.deposit_percent"""
_RULE_TABLES = """calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
  JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id"""
_RULES = f"SELECT {_RULE_COLUMNS} FROM {_RULE_TABLES} WHERE {_IS_SERVICE}"
_FIRST_RULES = f"""
SELECT {_RULE_COLUMNS} FROM {_RULE_TABLES} WHERE {_IS_OPEN} ORDER BY s.position, s.id LIMIT %(limit)s"""
# Of the days from `day.first` to `day.last`, with a day on each side: no zone is further from UTC than that.
_TIME_COLUMNS = """
(SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
   FROM weekly_hours h WHERE h.tenant_id = %(tenant)s),
(SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
   FROM date_hours d WHERE d.tenant_id = %(tenant)s AND d.day BETWEEN day.first - 1 AND day.last + 1),
(SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
          extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)), extract(epoch FROM upper(a.blocked)),
          a.capacity, CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
   FROM appointments a WHERE a.tenant_id = %(tenant)s AND a.live AND a.id <> ALL (%(without)s::uuid[])
    AND a.blocked && day.span),
(SELECT coalesce(json_agg(json_build_array(extract(epoch FROM lower(r)), extract(epoch FROM upper(r)))), '[]')
   FROM (SELECT unnest(range_agg(t.during)) AS r FROM busy_times t
          WHERE t.tenant_id = %(tenant)s AND t.during && day.span) busy)"""
# Local days are within a day of UTC's.
_SPAN = "tstzrange(({0} - 1)::timestamp AT TIME ZONE 'UTC', ({1} + 2)::timestamp AT TIME ZONE 'UTC')"
_TIMES = f"""
SELECT c.version, {_TIME_COLUMNS}
  FROM calendars c, LATERAL (SELECT %(first)s::date AS first, %(last)s::date AS last,
                                    {_SPAN.format("%(first)s::date", "%(last)s::date")} AS span) day
 WHERE c.tenant_id = %(tenant)s"""
# Those of single days, which can be months apart, each with the days before and after it.
_TIMES_OF_DAYS = f"""
SELECT c.version, {_TIME_COLUMNS}
  FROM calendars c, LATERAL (SELECT min(d.day) AS first, max(d.day) AS last,
                                    range_agg({_SPAN.format("d.day - 1", "d.day + 1")}) AS span
                               FROM unnest(%(days)s::date[]) d (day)) day
 WHERE c.tenant_id = %(tenant)s"""
# The rules of a service and the times around one start, or around a local day, in one round trip.
_START = f"""
SELECT {_RULE_COLUMNS}, {_TIME_COLUMNS}
  FROM {_RULE_TABLES},
       LATERAL (SELECT coalesce(%(on)s::date, (%(starts_at)s::timestamptz AT TIME ZONE 'UTC')::date) AS wanted) start,
       LATERAL (SELECT start.wanted - 1 AS first, start.wanted + 1 AS last,
                       {_SPAN.format("start.wanted - 1", "start.wanted + 1")} AS span) day
 WHERE {_IS_SERVICE}"""


# The guru needs time to answer: see porchlight.features.bookings.expiry.
REQUEST_NOTICE_MINUTES = 45
MAX_NEXT_STARTS = 12  # services of a guru, the first in order, whose next start is computed for the cards


@dataclass(frozen=True, slots=True)
class OfferTerms:
    """How a service is booked. A cancellation is free until `free_until_minutes` before the start.

    What is owed for a missed session and how people pay is not read for the first starts of several gurus.
    """

    party_max: int
    approval: Literal["instant", "request"]
    place: Literal["guru", "person", "online", "agreed"]
    free_until_minutes: int
    late_percent: int
    missed_percent: int = 0
    payment: Literal["in_person", "full", "deposit", "hold"] = "in_person"
    deposit_percent: int = 0


@dataclass(frozen=True, slots=True)
class ServiceRules:
    """The rules by which a service is offered. `rules_version` changes with them."""

    version: int
    rules_version: int
    calendar: CalendarRules
    service: BookableService
    terms: OfferTerms

    @property
    def today(self) -> date:
        """The current date in the calendar's zone."""
        return clock.now().astimezone(ZoneInfo(self.calendar.zone)).date()

    @property
    def last_day(self) -> date:
        """The last local day on which the service is offered."""
        return self.today + timedelta(days=self.calendar.horizon_days)


@dataclass(frozen=True, slots=True)
class ServiceTimes:
    """The starts of a service that can be booked, in a range of days, and the next one after now.

    `days` are fewer than those asked for if they have more than MAX_STARTS starts.

    `full` are the starts of its full sessions in these days, for which people can wait. `next_full` is the first one
    after now if nothing can be booked.
    """

    rules: ServiceRules
    first_day: date
    days: int
    starts: list[Start]
    full: list[datetime]
    next_start: Start | None
    next_full: datetime | None


async def service_rules(db: Database, tenant_id: UUID, service_id: UUID) -> ServiceRules:
    """Return the rules of a service that can be booked. Raise NotFound for any other."""
    rows = await db.read(tenant_id, _RULES, {"tenant": tenant_id, "service": service_id})
    if not rows:
        raise NotFound
    return to_service_rules(*rows[0])


def to_service_rules(version: int, rules_version: int, *values: Any) -> ServiceRules:
    """Return the rules of the columns `_RULE_COLUMNS`."""
    (zone, step_minutes, notice_minutes, horizon_days, day_max, paused_until, service_id, minutes, setup_minutes,
     cleanup_minutes, capacity, starts, *terms_values) = values  # fmt: skip
    calendar = CalendarRules(zone, step_minutes, notice_minutes, horizon_days, day_max, paused_until)
    service = BookableService(service_id, minutes, setup_minutes, cleanup_minutes, capacity, starts)
    terms = OfferTerms(*terms_values)
    if terms.approval == "request" and calendar.notice_minutes < REQUEST_NOTICE_MINUTES:
        calendar = replace(calendar, notice_minutes=REQUEST_NOTICE_MINUTES)
    return ServiceRules(version, rules_version, calendar, service, terms)


async def next_starts(db: Database, cache: FreeStartsCache, tenant_id: UUID) -> list[tuple[ServiceRules, Start | None]]:
    """Return the next free start of each service that can be booked, at most MAX_NEXT_STARTS in the guru's order."""
    rows = await db.read(tenant_id, _FIRST_RULES, {"tenant": tenant_id, "limit": MAX_NEXT_STARTS})
    found = [to_service_rules(*row) for row in rows]
    return [(rules, await _next_start(db, cache, tenant_id, rules)) for rules in found]


async def service_times(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, service_id: UUID, first_day: date | None, days: int
) -> ServiceTimes:
    """Return the free times of a service for `days` local days, by default from today. Raise NotFound."""
    rules = await service_rules(db, tenant_id, service_id)
    now = clock.now()
    today, last_day = rules.today, rules.last_day
    first_day = max(first_day or today, today)
    starts: list[Start] = []
    full: list[datetime] = []
    if first_day <= last_day:
        days_offered = min(days, (last_day - first_day).days + 1)
        free = await _free_starts(db, cache, tenant_id, rules, first_day, days_offered)
        starts, full = bookable_starts(free, rules.calendar, now), full_starts(free, rules.calendar, now)
        if len(free.days) < days_offered:  # there are too many starts for one answer
            days = len(free.days)
    next_start = starts[0] if starts and first_day == today else None
    if next_start is None:
        next_start = await _next_start(db, cache, tenant_id, rules)
    next_full = None if next_start else await _first(db, cache, tenant_id, rules, full_starts)
    return ServiceTimes(rules, first_day, days, starts, full, next_start, next_full)


async def starts_of_move(
    db: Database, tenant_id: UUID, service_id: UUID, first_day: date, days: int, *, without: Sequence[UUID]
) -> list[Start]:
    """Return the starts of a service in `days` local days to which a booking can move, without the guru's notice.

    The times of the appointments `without` count as free. Raise NotFound for a service that cannot be booked.
    """
    rules = await service_rules(db, tenant_id, service_id)
    first = max(first_day, rules.today)
    days = (min(first_day + timedelta(days=days - 1), rules.last_day) - first).days + 1
    if days < 1:
        return []
    day_before, day_after = first - timedelta(days=1), first + timedelta(days=days)
    parameters = {"tenant": tenant_id, "first": day_before, "last": day_after, "without": list(without)}
    free = _computed_starts(rules, await _read_times(db, tenant_id, _TIMES, parameters), first, days)
    return bookable_starts(free, replace(rules.calendar, notice_minutes=0), clock.now())


async def _next_start(db: Database, cache: FreeStartsCache, tenant_id: UUID, rules: ServiceRules) -> Start | None:
    """Return the first start from now on that can be booked, on any day that is offered, or None."""
    return await _first(db, cache, tenant_id, rules, bookable_starts)


async def _first(
    db: Database,
    cache: FreeStartsCache,
    tenant_id: UUID,
    rules: ServiceRules,
    select: Callable[[FreeStarts, CalendarRules, datetime], Sequence[T]],
) -> T | None:
    """Return the first of what `select` finds from now on, on any day that is offered, or None."""
    day = rules.today
    while day <= rules.last_day:
        free = await _free_starts(db, cache, tenant_id, rules, day, MAX_DAYS)
        for found in select(free, rules.calendar, clock.now()):
            return found
        day += timedelta(days=max(len(free.days), 1))
    return None


@dataclass(frozen=True, slots=True)
class ExplainedStart:
    """A time, and why the service is not offered then; `explanation` is None for a time that is offered."""

    rules: ServiceRules
    now: datetime
    explanation: StartExplanation | None


async def explained_start(db: Database, tenant_id: UUID, service_id: UUID, asked: datetime) -> ExplainedStart:
    """Return why a service that is open is not offered at an instant, or at a wall time without tzinfo.

    The time is within a few years of now. Raise NotFound for a service that cannot be booked.
    """
    starts_at, day = (asked, None) if asked.tzinfo else (None, asked.date())
    query, parameters = start_statement(tenant_id, service_id, starts_at=starts_at, day=day)
    rules, times = _to_rules_and_times(await db.read(tenant_id, query, parameters))
    now = clock.now()
    explanation = explain_start(
        rules.calendar, times.hours, rules.service, times.appointments, asked, now, busy=times.busy
    )
    return ExplainedStart(rules, now, explanation)


async def _free_starts(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, rules: ServiceRules, first_day: date, days: int
) -> FreeStarts:
    key = (tenant_id, rules.service.id, rules.version, first_day, days)
    cached = cache.get(key)
    if cached is not None:
        return cached
    times = await _times(db, tenant_id, first_day, days)
    free = _computed_starts(rules, times, first_day, days)
    if times.version == rules.version:
        cache.put(key, free)
    return free


def _computed_starts(rules: ServiceRules, times: Times, first_day: date, days: int) -> FreeStarts:
    schedule = SessionSchedule(
        rules.calendar, times.hours, rules.service, times.appointments, first_day, days, busy=times.busy
    )
    return free_starts(schedule)


@dataclass(frozen=True, slots=True)
class Times:
    """The hours and live appointments from the day before a range of days to the day after.

    `busy` are the joined times of all busy sources: from and until, in seconds since 1970.
    """

    version: int
    hours: OpeningHours
    appointments: list[LiveAppointment]
    busy: Sequence[Sequence[float]]


async def _times(db: Database, tenant_id: UUID, first_day: date, days: int) -> Times:
    day_before, day_after = first_day - timedelta(days=1), first_day + timedelta(days=days)
    parameters = {"tenant": tenant_id, "first": day_before, "last": day_after, "without": []}
    return await _read_times(db, tenant_id, _TIMES, parameters)


async def _read_times(db: Database, tenant_id: UUID, query: str, parameters: Mapping[str, Any]) -> Times:
    rows = await db.read(tenant_id, query, parameters)
    if not rows:
        raise NotFound
    return to_times(*rows[0])


def to_times(
    version: int,
    weekly: Sequence[Sequence[Any]],
    dates: Sequence[Sequence[Any]],
    appointments: Sequence[Sequence[Any]],
    busy: Sequence[Sequence[float]],
) -> Times:
    """Return the times of the JSON arrays that the columns `_TIME_COLUMNS` make."""
    return Times(version, _hours(weekly, dates), [_appointment(row) for row in appointments], busy)


def _hours(weekly: Sequence[Sequence[Any]], dates: Sequence[Sequence[Any]]) -> OpeningHours:
    by_weekday: dict[int, list[tuple[int, int]]] = {}
    for weekday, start, end in weekly:
        by_weekday.setdefault(weekday, []).append((start, end))
    by_date: dict[date, list[tuple[int, int]]] = {}
    for day, start, end in dates:
        ranges = by_date.setdefault(date.fromisoformat(day), [])
        if start is not None:  # an empty range means closed
            ranges.append((start, end))
    frozen: Mapping[date, Sequence[tuple[int, int]]] = by_date
    return OpeningHours(by_weekday, frozen)


def _appointment(row: Sequence[Any]) -> LiveAppointment:
    service_id, *times, capacity, taken, fixed = row
    starts_at, ends_at, blocked_from, blocked_until = (datetime.fromtimestamp(seconds, UTC) for seconds in times)
    return LiveAppointment(
        service_id and UUID(service_id), starts_at, ends_at, blocked_from, blocked_until, capacity, taken, fixed
    )


def start_statement(
    tenant_id: UUID,
    service_id: UUID,
    *,
    starts_at: datetime | None = None,
    day: date | None = None,
    without: UUID | None = None,
) -> tuple[str, dict[str, Any]]:
    """Return the statement that reads the rules of a service, and the times around an instant or a local day.

    The time of the appointment `without` counts as free: its only booking moves.
    """
    return _START, {
        "tenant": tenant_id, "service": service_id, "starts_at": starts_at, "on": day,
        "without": [without] if without else [],
    }  # fmt: skip


def _to_rules_and_times(rows: Sequence[Columns]) -> tuple[ServiceRules, Times]:
    """Return the rules and times that `start_statement` reads. Raise NotFound."""
    if not rows:
        raise NotFound
    *columns, weekly, dates, appointments, busy = rows[0]
    rules = to_service_rules(*columns)
    return rules, to_times(rules.version, weekly, dates, appointments, busy)


async def find_start(
    db: Database,
    tenant_id: UUID,
    service_id: UUID,
    starts_at: datetime,
    *,
    without: UUID | None = None,
    has_notice: bool = True,
) -> tuple[ServiceRules, Start | None, int]:
    """Read a start: see `to_start`. The time of the appointment `without` counts as free: its only booking moves."""
    query, parameters = start_statement(tenant_id, service_id, starts_at=starts_at, without=without)
    return to_start(await db.read(tenant_id, query, parameters), starts_at, has_notice=has_notice)


def to_start(
    rows: Sequence[Columns], starts_at: datetime, *, has_notice: bool = True
) -> tuple[ServiceRules, Start | None, int]:
    """Return a service's rules, its start at `starts_at` if it can be booked, and the day's number of starts.

    `rows` are those of `start_statement`. Without `has_notice`, the start may be nearer than the calendar's notice.
    Raise NotFound for a service that cannot be booked.
    """
    rules, times = _to_rules_and_times(rows)
    day = _offered_day(rules, starts_at)
    if day is None:
        return rules, None, 0
    free = _computed_starts(rules, times, day, 1)
    calendar = rules.calendar if has_notice else replace(rules.calendar, notice_minutes=0)
    return rules, *_start_at(free, calendar, starts_at)


async def find_starts(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, service_id: UUID, starts: Sequence[datetime]
) -> list[tuple[ServiceRules, Start | None, int]]:
    """Return what `find_start` returns, for each of several starts by the same rules. Raise NotFound like it."""
    rules = await service_rules(db, tenant_id, service_id)
    found: list[tuple[ServiceRules, Start | None, int]] = []
    for starts_at in starts:
        day = _offered_day(rules, starts_at)
        if day is None:
            found.append((rules, None, 0))
        else:
            free = await _free_starts(db, cache, tenant_id, rules, day, 1)
            found.append((rules, *_start_at(free, rules.calendar, starts_at)))
    return found


@dataclass(frozen=True, slots=True)
class CheckedStart:
    """A time, the reason why a service is not offered then, or None, and the seats that are left."""

    starts_at: datetime
    reason: NotOffered | None
    seats: int


async def check_starts(
    db: Database,
    tenant_id: UUID,
    service_id: UUID,
    starts: Sequence[datetime],
    *,
    without: Sequence[UUID],
    has_notice: bool = True,
) -> tuple[ServiceRules, list[CheckedStart]]:
    """Return a service's rules, and whether it is offered at each of several times, which are in order.

    The times of the appointments `without` count as free, and without `has_notice`, those within the notice as far
    enough away: see `find_start`. Raise NotFound for a service that cannot be booked.
    """
    rules = await service_rules(db, tenant_id, service_id)
    calendar = rules.calendar if has_notice else replace(rules.calendar, notice_minutes=0)
    zone, now = ZoneInfo(calendar.zone), clock.now()
    days = [start.astimezone(zone).date() for start in starts if _offered_day(rules, start)]
    parameters = {"tenant": tenant_id, "days": sorted(set(days)), "without": list(without)}
    times = await _read_times(db, tenant_id, _TIMES_OF_DAYS, parameters) if days else None
    checked: list[CheckedStart] = []
    for start in starts:
        day = _offered_day(rules, start)
        if day is None or times is None:
            reason = NotOffered.TOO_SOON if start <= now else NotOffered.BEYOND_HORIZON
            checked.append(CheckedStart(start, reason, 0))
            continue
        why = explain_start(calendar, times.hours, rules.service, times.appointments, start, now, busy=times.busy)
        found = None if why else _start_at(_computed_starts(rules, times, day, 1), calendar, start)[0]
        checked.append(CheckedStart(start, why.reason if why else None, found.seats if found else 0))
    return rules, checked


def _offered_day(rules: ServiceRules, starts_at: datetime) -> date | None:
    """Return the local day of a start, or None if the service is not offered on it."""
    day = starts_at.astimezone(ZoneInfo(rules.calendar.zone)).date()
    return day if rules.today <= day <= rules.last_day else None


def _start_at(free: FreeStarts, calendar: CalendarRules, starts_at: datetime) -> tuple[Start | None, int]:
    """Return the start at `starts_at` if it can be booked, and the number of starts of its day."""
    starts = bookable_starts(free, calendar, clock.now())
    return next((start for start in starts if start.starts_at == starts_at), None), len(starts)
