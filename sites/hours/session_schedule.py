"""The hours and appointments of a range of days, and the check whether a start is free for a service."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import accumulate
from typing import Final
from zoneinfo import ZoneInfo

from sites.hours.local_days import LocalDay, OpenRange, exists, local_days, minute_of, wall_time
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours

MAX_DAYS: Final = 62


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
    BUSY_ELSEWHERE = "busy_elsewhere"
    """Only a busy source has something then."""
    FULL = "full"
    NO_SESSION = "no_session"
    """The guru sets the sessions of this service, and none starts then."""
    PAUSED = "paused"
    TOO_SOON = "too_soon"
    BEYOND_HORIZON = "beyond_horizon"
    DAY_MAX = "day_max"


class SessionSchedule:
    """The hours and appointments of a range of days, prepared to check many starts of one service.

    `appointments` are all live ones of the calendar from the day before the first to the day after the last, and
    `busy` the times of busy sources, from and until in seconds since 1970: they keep new sessions from starting, and
    leave the sessions that exist as they are. Raise ValueError unless there are 1 to 62 days, and
    ZoneInfoNotFoundError for an unknown zone.
    """

    def __init__(
        self,
        calendar: CalendarRules,
        hours: OpeningHours,
        service: BookableService,
        appointments: Iterable[LiveAppointment],
        first_day: date,
        days: int,
        *,
        busy: Iterable[Sequence[float]] = (),
    ) -> None:
        if not 1 <= days <= MAX_DAYS:
            raise ValueError(f"free times are for 1 to {MAX_DAYS} days, not {days}")
        self.capacity = service.capacity
        self._zone = ZoneInfo(calendar.zone)
        self._is_fixed = service.starts == "fixed"
        self._setup = 60 * service.setup_minutes
        self._length = 60 * service.minutes
        self._cleanup = 60 * service.cleanup_minutes
        self.days = local_days(self._zone, hours.on, calendar.step_minutes, first_day, days)
        self._appointments = sorted(appointments, key=lambda appointment: appointment.blocked_from)
        blocked = [
            (appointment.blocked_from.timestamp(), appointment.blocked_until.timestamp())
            for appointment in self._appointments
        ]
        blocked += [(blocked_from, blocked_until) for blocked_from, blocked_until in busy]
        blocked.sort()
        self._blocked_from = [blocked_from for blocked_from, _ in blocked]
        self._latest_until = list(accumulate((blocked_until for _, blocked_until in blocked), max))
        """The latest end of each blocked time and those that begin before it."""
        self.live = {
            appointment.starts_at.timestamp(): appointment
            for appointment in self._appointments
            if appointment.service_id == service.id and (appointment.fixed or not self._is_fixed)
        }
        """The live sessions of the service by start. A service with fixed sessions has no others."""
        self._fixed_starts: defaultdict[date, list[float]] = defaultdict(list)
        self.full: defaultdict[date, list[float]] = defaultdict(list)
        """The starts of the service's full sessions for several people, by day."""
        for start, session in sorted(self.live.items()):
            day = datetime.fromtimestamp(start, self._zone).date()
            if self._is_fixed:
                self._fixed_starts[day].append(start)
            if session.taken >= session.capacity > 1:
                self.full[day].append(start)
        self.sessions = Counter(
            appointment.starts_at.astimezone(self._zone).date()
            for appointment in self._appointments
            if appointment.service_id is not None
        )

    def free(self, day: LocalDay) -> Iterable[float]:
        """Return the free starts of a day, each computed when it is read."""
        return self._free_fixed(day) if self._is_fixed else self._free_by_hours(day)

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

    def blocked_time(self, start: float) -> tuple[datetime, datetime]:
        """Return the time that a session from `start` would block, with its setup and cleanup."""
        blocked_until = start + self._length + self._cleanup
        return datetime.fromtimestamp(start - self._setup, UTC), datetime.fromtimestamp(blocked_until, UTC)

    def conflict(self, start: float) -> LiveAppointment | None:
        """Return the first appointment that a session from `start` overlaps, or None if only a busy source has one."""
        blocked_from, blocked_until = self.blocked_time(start)
        found = (one for one in self._appointments if one.blocked_until > blocked_from)
        first = next(found, None)
        return first if first is not None and first.blocked_from < blocked_until else None

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
