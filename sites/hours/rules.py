"""The inputs of free times: a calendar, its hours, a service and the live appointments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal
from uuid import UUID

from sites.hours.local_days import MinuteRange

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
