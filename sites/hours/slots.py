"""Free times: the starts at which a service can be booked, and the reason why another time is not one.

Every function is pure. Hours are wall times of the calendar's zone, in minutes after midnight; starts are instants.

- Wall times follow RFC 5545 3.3.5: one that occurs twice is its first instant. One that the clock skips has the offset
  before the change. It may end a range of hours, but is never a start. Durations are elapsed time.
- Ranges of a day that touch or overlap are joined. The starts of a joined range are its first minute and each step
  after it.
- A range that ends at 24:00 continues in a range of the next day that starts at 0:00, so that a session may cross
  midnight. The second range still counts its own starts from 0:00: the starts of a day depend on that day only.
- A session blocks its setup and cleanup times too. Those of adjacent sessions add up.
- A start at which the service has a live session offers the seats left there, and blocks no other time.

`free_starts` depends on the calendar, the hours and the appointments only, so its result may be cached until one of
them changes. `bookable_starts` then applies the limits that depend on the current time or are about a whole day.
`explain_start` runs the same checks for one time.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate
from typing import Final, Literal, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from sites.hours.local_days import LocalDay, MinuteRange, OpenRange, exists, local_days, minute_of, wall_time

MAX_DAYS: Final = 62
MAX_STARTS: Final = 3000
MIN_BOOKABLE_MINUTES: Final = 15
MAX_BOOKABLE_MINUTES: Final = 480


@dataclass(frozen=True, slots=True)
class CalendarRules:
    """A guru's calendar. `zone` is an IANA name.

    Starts are `step_minutes` apart, at least `notice_minutes` away, and not after the day that is `horizon_days` after
    today. `day_max` is the number of live sessions of one local day from which no further session starts there. Until
    `paused_until`, the calendar takes no bookings at all.
    """

    zone: str
    step_minutes: int = 30
    notice_minutes: int = 720
    horizon_days: int = 60
    day_max: int | None = None
    paused_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """The hours by weekday (Monday is 0). A date in `dates` replaces its weekday; without ranges, it is closed."""

    weekly: Mapping[int, Sequence[MinuteRange]]
    dates: Mapping[date, Sequence[MinuteRange]] = field(default_factory=dict)

    def on(self, day: date) -> Sequence[MinuteRange]:
        """Return the ranges of a day, joined and in order."""
        joined: list[MinuteRange] = []
        for start, end in sorted(self.dates[day] if day in self.dates else self.weekly.get(day.weekday(), ())):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            elif start < end:
                joined.append((start, end))
        return joined


@dataclass(frozen=True, slots=True)
class BookableService:
    """A service that can be booked: 15 to 480 minutes, with its setup before and its cleanup after.

    With `starts` "fixed", the guru sets every session; with "hours", sessions start within the opening hours.
    """

    id: UUID
    minutes: int
    setup_minutes: int = 0
    cleanup_minutes: int = 0
    capacity: int = 1
    starts: Literal["hours", "fixed"] = "hours"


@dataclass(frozen=True, slots=True)
class LiveAppointment:
    """A live session, or a block: a time without a service that is not free. All times are aware.

    `capacity - taken` seats are left. While neighbors wait for a seat, pass the seats kept for them as taken.
    """

    service_id: UUID | None
    starts_at: datetime
    ends_at: datetime
    blocked_from: datetime
    blocked_until: datetime
    capacity: int = 1
    taken: int = 0
    fixed: bool = False


class NotOffered(StrEnum):
    """The reason why a time is not offered."""

    CLOSED = "closed"
    OUTSIDE_HOURS = "outside_hours"
    OFF_GRID = "off_grid"
    SKIPPED_TIME = "skipped_time"
    """The clock is set forward over this time."""
    REPEATED_TIME = "repeated_time"
    """The second instant of a wall time; only the first is offered."""
    ENDS_AFTER_HOURS = "ends_after_hours"
    BUSY = "busy"
    FULL = "full"
    NO_SESSION = "no_session"
    """The guru sets the sessions of this service, and none starts then."""
    PAUSED = "paused"
    TOO_SOON = "too_soon"
    BEYOND_HORIZON = "beyond_horizon"
    DAY_MAX = "day_max"


class Start(NamedTuple):
    """A start that can be booked, in UTC, and the number of seats left."""

    starts_at: datetime
    seats: int


@dataclass(frozen=True, slots=True)
class FreeDay:
    """The free starts of one local day, in order, as seconds since 1970.

    `live_seats` holds the seats left at the starts of live sessions, `full` the starts of the service's full sessions
    for several people, `sessions` the number of the calendar's live sessions that start on the day.
    """

    date: date
    starts: array[float]
    live_seats: Mapping[float, int]
    full: tuple[float, ...]
    sessions: int


@dataclass(frozen=True, slots=True)
class FreeStarts:
    """The free starts of a range of days. A new session has `capacity` seats.

    The days end early, with a whole day, if there are more than 3,000 starts.
    """

    days: tuple[FreeDay, ...]
    capacity: int


@dataclass(frozen=True, slots=True)
class StartExplanation:
    """Why a time is not offered, with the facts for one sentence that the calendar and the service do not hold.

    `wall` is the time in the calendar's zone, `ranges` are the day's hours, joined. `limit` is the end of the hours
    with ENDS_AFTER_HOURS, and the earliest start with TOO_SOON. `appointment` is set with BUSY and FULL.
    """

    reason: NotOffered
    wall: datetime
    ranges: tuple[MinuteRange, ...]
    limit: datetime | None = None
    appointment: LiveAppointment | None = None


def free_starts(
    calendar: CalendarRules,
    hours: OpeningHours,
    service: BookableService,
    appointments: Iterable[LiveAppointment],
    first_day: date,
    days: int,
) -> FreeStarts:
    """Return the free starts of local days, before the limits of `bookable_starts`.

    `appointments` are all live ones of the calendar from the day before the first to the day after the last. Raise
    ValueError unless there are 1 to 62 days, and ZoneInfoNotFoundError for an unknown zone.
    """
    if not 1 <= days <= MAX_DAYS:
        raise ValueError(f"free times are for 1 to {MAX_DAYS} days, not {days}")
    schedule = _Schedule(calendar, hours, service, appointments, first_day, days)
    free: list[FreeDay] = []
    count = 0
    for day in schedule.days:
        free_day = schedule.free_day(day)
        count += len(free_day.starts)
        if count > MAX_STARTS:
            break
        free.append(free_day)
    return FreeStarts(tuple(free), service.capacity)


def bookable_starts(free: FreeStarts, calendar: CalendarRules, now: datetime) -> list[Start]:
    """Return the starts that the notice, the horizon, the maximum per day and the pause allow at the time `now`."""
    limits = _Limits.at(calendar, now)
    return [
        Start(datetime.fromtimestamp(start, UTC), day.live_seats.get(start, free.capacity))
        for day in free.days
        for start, reason in limits.check(day.starts, day.date, day.sessions, day.live_seats)
        if reason is None
    ]


def first_bookable_starts(
    calendar: CalendarRules,
    hours: OpeningHours,
    service: BookableService,
    appointments: Iterable[LiveAppointment],
    first_day: date,
    days: int,
    now: datetime,
) -> Iterator[datetime]:
    """Yield the first of the `bookable_starts` of each day that has one, in UTC, without computing the others."""
    schedule = _Schedule(calendar, hours, service, appointments, first_day, days)
    limits = _Limits.at(calendar, now)
    for day in schedule.days:
        for start, reason in limits.check(schedule.free(day), day.date, schedule.sessions[day.date], schedule.live):
            if reason is None:
                yield datetime.fromtimestamp(start, UTC)
                break


def full_starts(free: FreeStarts, calendar: CalendarRules, now: datetime) -> list[datetime]:
    """Return the starts of full sessions, in UTC, that could be booked at the time `now` if they had a seat left."""
    limits = _Limits.at(calendar, now)
    return [
        datetime.fromtimestamp(start, UTC)
        for day in free.days
        for start, reason in limits.check(day.full, day.date, day.sessions, day.full)
        if reason is None
    ]


def explain_start(
    calendar: CalendarRules,
    hours: OpeningHours,
    service: BookableService,
    appointments: Iterable[LiveAppointment],
    asked: datetime,
    now: datetime,
) -> StartExplanation | None:
    """Return why a time is not offered at the time `now`, or None if it is.

    `asked` is an instant, or a wall time of the calendar's zone without tzinfo. `appointments` are all live ones of
    the calendar from the day before to the day after. Raise ZoneInfoNotFoundError for an unknown zone.
    """
    zone = ZoneInfo(calendar.zone)
    local = asked.replace(tzinfo=zone, fold=0) if asked.tzinfo is None else asked.astimezone(zone)
    schedule = _Schedule(calendar, hours, service, appointments, local.date(), 1)
    limits = _Limits.at(calendar, now)
    day = schedule.days[0]
    start, reason = schedule.check_local(day, local)
    if reason is None:
        ((start, reason),) = limits.check([start], day.date, schedule.sessions[day.date], schedule.live)
    if reason is None:
        return None
    limit: float | None = None
    appointment: LiveAppointment | None = None
    if reason is NotOffered.ENDS_AFTER_HOURS:
        limit = next(found.closes for found in day.ranges if minute_of(local) in found.starts)
    elif reason is NotOffered.TOO_SOON:
        limit = limits.earliest
    elif reason is NotOffered.BUSY:
        appointment = schedule.conflict(start)
    elif reason is NotOffered.FULL:
        appointment = schedule.live[start]
    return StartExplanation(
        reason,
        local.replace(tzinfo=None, fold=0),
        tuple((found.start, found.end) for found in day.ranges),
        None if limit is None else datetime.fromtimestamp(limit, UTC),
        appointment,
    )


@dataclass(frozen=True, slots=True)
class _Limits:
    """The limits that depend on the current time or are about a whole day."""

    is_paused: bool
    earliest: float
    last_day: date
    day_max: int | None

    @classmethod
    def at(cls, calendar: CalendarRules, now: datetime) -> _Limits:
        """Return the limits at the time `now`."""
        return cls(
            calendar.paused_until is not None and now < calendar.paused_until,
            now.timestamp() + 60 * calendar.notice_minutes,
            now.astimezone(ZoneInfo(calendar.zone)).date() + timedelta(days=calendar.horizon_days),
            calendar.day_max,
        )

    def check(
        self, starts: Iterable[float], day: date, sessions: int, live: Container[float]
    ) -> Iterator[tuple[float, NotOffered | None]]:
        """Yield free starts of a day with the limit that each exceeds. Live sessions are part of the day's maximum."""
        is_beyond = day > self.last_day
        is_full = self.day_max is not None and sessions >= self.day_max
        for start in starts:
            if self.is_paused:
                yield start, NotOffered.PAUSED
            elif start < self.earliest:
                yield start, NotOffered.TOO_SOON
            elif is_beyond:
                yield start, NotOffered.BEYOND_HORIZON
            elif is_full and start not in live:
                yield start, NotOffered.DAY_MAX
            else:
                yield start, None


class _Schedule:
    """The hours and appointments of a range of days, prepared to check many starts of one service."""

    def __init__(
        self,
        calendar: CalendarRules,
        hours: OpeningHours,
        service: BookableService,
        appointments: Iterable[LiveAppointment],
        first_day: date,
        days: int,
    ) -> None:
        self._zone = ZoneInfo(calendar.zone)
        self._is_fixed = service.starts == "fixed"
        self._setup = 60 * service.setup_minutes
        self._length = 60 * service.minutes
        self._cleanup = 60 * service.cleanup_minutes
        self.days = local_days(self._zone, hours.on, calendar.step_minutes, first_day, days)
        self._appointments = sorted(appointments, key=lambda appointment: appointment.blocked_from)
        self._blocked_from = [appointment.blocked_from.timestamp() for appointment in self._appointments]
        ends = (appointment.blocked_until.timestamp() for appointment in self._appointments)
        self._latest_until = list(accumulate(ends, max))
        """The latest end of each appointment and those that begin before it."""
        self.live = {
            appointment.starts_at.timestamp(): appointment
            for appointment in self._appointments
            if appointment.service_id == service.id and (appointment.fixed or not self._is_fixed)
        }
        """The live sessions of the service by start. A service with fixed sessions has no others."""
        self._fixed_starts: defaultdict[date, list[float]] = defaultdict(list)
        self._full: defaultdict[date, list[float]] = defaultdict(list)
        for start, session in sorted(self.live.items()):
            day = datetime.fromtimestamp(start, self._zone).date()
            if self._is_fixed:
                self._fixed_starts[day].append(start)
            if session.taken >= session.capacity > 1:
                self._full[day].append(start)
        self.sessions = Counter(
            appointment.starts_at.astimezone(self._zone).date()
            for appointment in self._appointments
            if appointment.service_id is not None
        )

    def free(self, day: LocalDay) -> Iterable[float]:
        """Return the free starts of a day, each computed when it is read."""
        return self._free_fixed(day) if self._is_fixed else self._free_by_hours(day)

    def free_day(self, day: LocalDay) -> FreeDay:
        """Return the free starts of a day."""
        starts = array("d", self.free(day))
        live = {start: self.live[start].capacity - self.live[start].taken for start in starts if start in self.live}
        return FreeDay(day.date, starts, live, tuple(self._full[day.date]), self.sessions[day.date])

    def check_local(self, day: LocalDay, local: datetime) -> tuple[float, NotOffered | None]:
        """Return the instant of a local time, and why it is not free. The instant is not used outside the hours."""
        if self._is_fixed:
            start = local.timestamp()
            return start, self._seats_reason(start) if exists(local) else NotOffered.SKIPPED_TIME
        minute = minute_of(local)
        hours = next((found for found in day.ranges if found.start <= minute < found.end), None)
        if hours is None:
            return 0, NotOffered.OUTSIDE_HOURS if day.ranges else NotOffered.CLOSED
        if minute not in hours.starts:
            return 0, NotOffered.OFF_GRID
        ((start, reason),) = self._check(day, hours, [minute])
        return start, NotOffered.REPEATED_TIME if local.fold else reason

    def conflict(self, start: float) -> LiveAppointment:
        """Return the first appointment that a session from `start`, which is busy, overlaps."""
        blocked_from = datetime.fromtimestamp(start - self._setup, UTC)
        return next(appointment for appointment in self._appointments if appointment.blocked_until > blocked_from)

    def _free_by_hours(self, day: LocalDay) -> Iterator[float]:
        for hours in day.ranges:
            for start, reason in self._check(day, hours, hours.starts):
                if reason is None:
                    yield start

    def _free_fixed(self, day: LocalDay) -> list[float]:
        return [start for start in self._fixed_starts[day.date] if self._seats_reason(start) is None]

    def _check(
        self, day: LocalDay, hours: OpenRange, minutes: Iterable[float]
    ) -> Iterator[tuple[float, NotOffered | None]]:
        """Yield the instants of a range's wall minutes, each with the reason why it is not free.

        It takes many minutes at once because the offer checks thousands.
        """
        for minute in minutes:
            start = day.midnight + 60 * minute
            if not day.is_plain:
                wall = wall_time(self._zone, day.date, minute)
                start = wall.timestamp()
                if not exists(wall):
                    yield start, NotOffered.SKIPPED_TIME
                    continue
            end = start + self._length
            if end > hours.closes:
                yield start, NotOffered.ENDS_AFTER_HOURS
            elif start in self.live:
                yield start, self._seats_reason(start)
            else:
                before_end = bisect_left(self._blocked_from, end + self._cleanup)
                is_busy = before_end > 0 and self._latest_until[before_end - 1] > start - self._setup
                yield start, NotOffered.BUSY if is_busy else None

    def _seats_reason(self, start: float) -> NotOffered | None:
        """Return why the session of the service at `start` takes no further neighbor."""
        session = self.live.get(start)
        if session is None:
            return NotOffered.NO_SESSION
        return NotOffered.FULL if session.taken >= session.capacity else None
