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
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from sites.hours.local_days import LocalDay, MinuteRange, minute_of
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours
from sites.hours.session_schedule import NotOffered, SessionSchedule

MAX_STARTS: Final = 3000


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
    with ENDS_AFTER_HOURS, and the earliest start with TOO_SOON. `appointment` is set with BUSY and FULL. `blocked` is
    the time that the session would block, with BUSY_ELSEWHERE.
    """

    reason: NotOffered
    wall: datetime
    ranges: tuple[MinuteRange, ...]
    limit: datetime | None = None
    appointment: LiveAppointment | None = None
    blocked: tuple[datetime, datetime] | None = None


def free_starts(schedule: SessionSchedule) -> FreeStarts:
    """Return the free starts of the schedule's days, before the limits of `bookable_starts`."""
    free: list[FreeDay] = []
    count = 0
    for day in schedule.days:
        free_day = _free_day(schedule, day)
        count += len(free_day.starts)
        if count > MAX_STARTS:
            break
        free.append(free_day)
    return FreeStarts(tuple(free), schedule.capacity)


def bookable_starts(free: FreeStarts, calendar: CalendarRules, now: datetime) -> list[Start]:
    """Return the starts that the notice, the horizon, the maximum per day and the pause allow at the time `now`."""
    limits = _Limits.at(calendar, now)
    return [
        Start(datetime.fromtimestamp(start, UTC), day.live_seats.get(start, free.capacity))
        for day in free.days
        for start, reason in limits.check(day.starts, day.date, day.sessions, day.live_seats)
        if reason is None
    ]


def first_bookable_starts(schedule: SessionSchedule, calendar: CalendarRules, now: datetime) -> Iterator[datetime]:
    """Yield the first of the `bookable_starts` of each day that has one, in UTC, without computing the others."""
    limits = _Limits.at(calendar, now)
    for day in schedule.days:
        for start, reason in limits.check(schedule.free(day), day.date, schedule.sessions[day.date], schedule.live):
            if reason is None:
                yield datetime.fromtimestamp(start, UTC)
                break


def _free_day(schedule: SessionSchedule, day: LocalDay) -> FreeDay:
    starts = array("d", schedule.free(day))
    live = {
        start: schedule.live[start].capacity - schedule.live[start].taken for start in starts if start in schedule.live
    }
    return FreeDay(day.date, starts, live, tuple(schedule.full[day.date]), schedule.sessions[day.date])


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
    *,
    busy: Iterable[Sequence[float]] = (),
) -> StartExplanation | None:
    """Return why a time is not offered at the time `now`, or None if it is.

    `asked` is an instant, or a wall time of the calendar's zone without tzinfo. `appointments` are all live ones of
    the calendar from the day before to the day after, and `busy` the times of its busy sources. Raise
    ZoneInfoNotFoundError for an unknown zone.
    """
    zone = ZoneInfo(calendar.zone)
    local = asked.replace(tzinfo=zone, fold=0) if asked.tzinfo is None else asked.astimezone(zone)
    schedule = SessionSchedule(calendar, hours, service, appointments, local.date(), 1, busy=busy)
    limits = _Limits.at(calendar, now)
    day = schedule.days[0]
    start, reason = schedule.check_local(day, local)
    if reason is None:
        ((start, reason),) = limits.check([start], day.date, schedule.sessions[day.date], schedule.live)
    if reason is None:
        return None
    limit: float | None = None
    appointment: LiveAppointment | None = None
    blocked: tuple[datetime, datetime] | None = None
    if reason is NotOffered.ENDS_AFTER_HOURS:
        limit = next(found.closes for found in day.ranges if minute_of(local) in found.starts)
    elif reason is NotOffered.TOO_SOON:
        limit = limits.earliest
    elif reason is NotOffered.BUSY:
        appointment = schedule.conflict(start)
        if appointment is None:
            reason, blocked = NotOffered.BUSY_ELSEWHERE, schedule.blocked_time(start)
    elif reason is NotOffered.FULL:
        appointment = schedule.live[start]
    return StartExplanation(
        reason,
        local.replace(tzinfo=None, fold=0),
        tuple((found.start, found.end) for found in day.ranges),
        None if limit is None else datetime.fromtimestamp(limit, UTC),
        appointment,
        blocked,
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
