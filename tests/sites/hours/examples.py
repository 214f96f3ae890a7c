"""A calendar of a guru in New York, and sessions on a Tuesday, for the tests of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sites.hours.local_days import MinuteRange
from sites.hours.rules import BookableService, CalendarRules, LiveAppointment, OpeningHours
from tests.sites.hours.cases import OTHER_SERVICE_ID, SERVICE_ID, SlotsCase

ZONE = ZoneInfo("America/New_York")
TUESDAY = date(2027, 6, 1)
FORWARD = date(2027, 3, 14)  # from 2:00 to 3:00
BACK = date(2027, 11, 7)  # from 2:00 to 1:00
CALENDAR = CalendarRules(ZONE.key, notice_minutes=0, horizon_days=365)
SERVICE = BookableService(SERVICE_ID, 60)
NOW = datetime(2027, 1, 1, tzinfo=UTC)
NINE_TO_ELEVEN = (540, 660)
ALL_DAY = (0, 1440)


def open_case(
    *ranges: MinuteRange,
    day: date = TUESDAY,
    dates: Mapping[date, Sequence[MinuteRange]] | None = None,
    appointments: Iterable[LiveAppointment] = (),
    service: BookableService = SERVICE,
    calendar: CalendarRules = CALENDAR,
    days: int = 1,
    now: datetime = NOW,
) -> SlotsCase:
    """Return a case with the same hours on each weekday."""
    hours = OpeningHours(dict.fromkeys(range(7), ranges), dates or {})
    return SlotsCase(calendar, hours, service, tuple(appointments), day, days, now)


def local(clock: str, day: date = TUESDAY, fold: int = 0) -> datetime:
    """Return the instant of a wall time such as "9:30". "25:00" is 1:00 of the next day."""
    hour, minute = map(int, clock.split(":"))
    day += timedelta(days=hour // 24)
    return datetime.combine(day, time(hour % 24, minute, fold=fold), ZONE).astimezone(UTC)


def appointment(
    clock: str, minutes: int = 60, *, before: int = 0, after: int = 0, capacity: int = 1, taken: int = 1
) -> LiveAppointment:
    """Return a session of another service on the Tuesday, `before` and `after` being setup and cleanup."""
    start = local(clock)
    end = start + timedelta(minutes=minutes)
    blocked = (start - timedelta(minutes=before), end + timedelta(minutes=after))
    return LiveAppointment(OTHER_SERVICE_ID, start, end, *blocked, capacity, taken)


def session(clock: str, *, capacity: int = 1, taken: int = 1, fixed: bool = False) -> LiveAppointment:
    """Return a session of the service itself on the Tuesday."""
    return replace(appointment(clock, capacity=capacity, taken=taken), service_id=SERVICE_ID, fixed=fixed)
