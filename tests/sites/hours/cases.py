"""Random calendars around a change of the clock, in 24 zones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final
from uuid import UUID

from hypothesis import strategies as st
from whenever import Date, Time

from sites.hours.local_days import MinuteRange
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours
from sites.hours.session_schedule import SessionSchedule
from sites.hours.slots import FreeStarts, Start, StartExplanation, bookable_starts, explain_start, free_starts

SERVICE_ID: Final = UUID(int=1)
OTHER_SERVICE_ID: Final = UUID(int=2)

ZONES: Final = (
    "Africa/Cairo",  # changes at 24:00
    "Africa/Casablanca",
    "America/Havana",  # changes at midnight
    "America/Los_Angeles",
    "America/New_York",
    "America/Nuuk",  # skips the last hour of a day
    "America/Santiago",
    "America/St_Johns",  # -3:30
    "Antarctica/Troll",  # changes by two hours
    "Asia/Beirut",  # changes at midnight
    "Asia/Gaza",
    "Asia/Jerusalem",
    "Asia/Kathmandu",  # +5:45, without a change
    "Asia/Kolkata",  # +5:30, without a change
    "Atlantic/Azores",  # changes at midnight
    "Australia/Adelaide",  # +9:30
    "Australia/Lord_Howe",  # changes by 30 minutes
    "Europe/Berlin",
    "Europe/Chisinau",
    "Europe/Dublin",  # standard time is in summer
    "Europe/London",
    "Pacific/Auckland",
    "Pacific/Chatham",  # +12:45
    "Pacific/Easter",  # changes in the evening
)
YEAR: Final = 2027
DAYS_WITHOUT_CHANGE: Final = (date(YEAR, 3, 28), date(YEAR, 10, 31))


@dataclass(frozen=True, slots=True)
class SlotsCase:
    """The inputs of the free times of a few days."""

    calendar: CalendarRules
    hours: OpeningHours
    service: BookableService
    appointments: tuple[LiveAppointment, ...]
    first_day: date
    days: int
    now: datetime

    def free(self) -> FreeStarts:
        """Return the free starts before the limits."""
        schedule = SessionSchedule(
            self.calendar, self.hours, self.service, self.appointments, self.first_day, self.days
        )
        return free_starts(schedule)

    def offered(self) -> list[Start]:
        """Return the starts that can be booked."""
        return bookable_starts(self.free(), self.calendar, self.now)

    def explain(self, asked: datetime) -> StartExplanation | None:
        """Return why a time is not offered."""
        return explain_start(self.calendar, self.hours, self.service, self.appointments, asked, self.now)


@cache
def change_days(zone: str) -> tuple[date, date]:
    """Return the first shorter and the first longer day of the year, or any two days of a zone without changes."""
    shorter: date | None = None
    longer: date | None = None
    day = Date(YEAR, 1, 1)
    while day.year == YEAR:
        length = day.at(Time.MIN).assume_tz(zone, disambiguation="compatible").day_length().total("hours")
        if length < 24:
            shorter = shorter or day.to_stdlib()
        if length > 24:
            longer = longer or day.to_stdlib()
        day = day.add(days=1)
    return (shorter, longer) if shorter and longer else DAYS_WITHOUT_CHANGE


_POINTS = (
    st.sampled_from([0, 1440]) | st.integers(0, 48).map(lambda n: 30 * n) | st.integers(0, 288).map(lambda n: 5 * n)
)
_BUFFERS = st.sampled_from([0, 0, 5, 15, 60])


@st.composite
def _ranges(draw: st.DrawFn) -> list[MinuteRange]:
    """Return ranges of one day. As in the database, they may touch and do not overlap."""
    points = sorted(draw(st.lists(_POINTS, max_size=6)))
    return [(start, end) for start, end in zip(points[::2], points[1::2], strict=False) if start < end]


@st.composite
def _appointments(draw: st.DrawFn, midnight: datetime) -> tuple[LiveAppointment, ...]:
    """Return up to eight appointments near an instant. The service has one session per start at most."""
    appointments: dict[tuple[UUID | None, datetime | int], LiveAppointment] = {}
    for number in range(draw(st.integers(0, 8))):
        service_id = draw(st.sampled_from([SERVICE_ID, SERVICE_ID, OTHER_SERVICE_ID, None]))
        minutes = draw(st.integers(-48, 144).map(lambda n: 30 * n) | st.integers(-1440, 4320))
        starts_at = midnight + timedelta(minutes=minutes)
        ends_at = starts_at + timedelta(minutes=draw(st.sampled_from([15, 30, 60, 90])))
        capacity = draw(st.integers(1, 3))
        appointments[service_id, number if service_id is None else starts_at] = LiveAppointment(
            service_id,
            starts_at,
            ends_at,
            starts_at - timedelta(minutes=draw(_BUFFERS)),
            ends_at + timedelta(minutes=draw(_BUFFERS)),
            capacity,
            draw(st.integers(0, capacity)),
            draw(st.booleans()),
        )
    return tuple(appointments.values())


@st.composite
def slots_cases(draw: st.DrawFn, zone: str, change_day: date) -> SlotsCase:
    """Return a random calendar, its appointments, and one to three days around a day of a zone."""
    first_day = change_day - timedelta(days=draw(st.integers(0, 1)))
    midnight = datetime.combine(first_day, time.min, UTC)
    calendar = CalendarRules(
        zone,
        draw(st.sampled_from([5, 10, 15, 20, 30, 30, 60, 60])),
        draw(st.sampled_from([0, 0, 90, 720])),
        draw(st.integers(2, 6)),
        draw(st.sampled_from([None, None, 1, 2])),
        midnight if draw(st.integers(0, 9)) == 0 else None,
    )
    hours = OpeningHours(
        draw(st.dictionaries(st.integers(0, 6), _ranges(), min_size=5)),
        draw(st.dictionaries(st.integers(-1, 4).map(lambda n: first_day + timedelta(days=n)), _ranges(), max_size=2)),
    )
    service = BookableService(
        SERVICE_ID,
        draw(st.sampled_from([15, 30, 45, 60, 90, 480])),
        draw(_BUFFERS),
        draw(_BUFFERS),
        draw(st.integers(1, 3)),
        draw(st.sampled_from(["hours", "hours", "hours", "fixed"])),
    )
    return SlotsCase(
        calendar,
        hours,
        service,
        draw(_appointments(midnight)),
        first_day,
        draw(st.integers(1, 3)),
        midnight + timedelta(minutes=draw(st.integers(-4320, 1440))),
    )
