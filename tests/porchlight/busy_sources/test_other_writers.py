"""Calendar files that libraries of other programs write, with their own definitions of zones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
import vobject  # type: ignore[import-untyped]

from porchlight.features.busy_sources.parsing.busy import busy_periods
from tests.porchlight.busy_sources.calendar_files import AFTER, BEFORE, reading

ZONES = (
    "America/Denver", "America/New_York", "America/Phoenix", "America/St_Johns", "America/Sao_Paulo",
    "America/Santiago", "Europe/London", "Europe/Berlin", "Europe/Dublin", "Africa/Cairo", "Africa/Casablanca",
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Asia/Jerusalem", "Australia/Sydney", "Australia/Lord_Howe",
    "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia",
)  # fmt: skip
FIRST = datetime(2026, 10, 5, 9, 30)  # noqa: DTZ001 - a local time
WEEKS = 60
LENGTH = timedelta(minutes=45)


def by_icalendar(zone: ZoneInfo, *, with_zones: bool) -> bytes:
    """Return a weekly event as icalendar writes it."""
    event = icalendar.Event()
    event.add("uid", "1@example.com")
    event.add("dtstamp", datetime(2026, 10, 1, tzinfo=UTC))
    event.add("summary", "Standup, with; commas\nand lines")
    event.add("dtstart", FIRST.replace(tzinfo=zone))
    event.add("dtend", (FIRST + LENGTH).replace(tzinfo=zone))
    event.add("rrule", {"freq": "weekly", "count": WEEKS})
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//example//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    if with_zones:
        calendar.add_missing_timezones()
    content: bytes = calendar.to_ical()
    return content


def by_vobject(zone: ZoneInfo) -> bytes:
    """Return a weekly event as vobject writes it: it names zones by their abbreviations."""
    calendar = vobject.iCalendar()
    event = calendar.add("vevent")
    event.add("uid").value = "1@example.com"
    event.add("dtstart").value = FIRST.replace(tzinfo=zone)
    event.add("dtend").value = (FIRST + LENGTH).replace(tzinfo=zone)
    event.add("rrule").value = f"FREQ=WEEKLY;COUNT={WEEKS}"
    content: str = calendar.serialize()
    return content.encode()


WRITERS: dict[str, Callable[[ZoneInfo], bytes]] = {
    "icalendar": lambda zone: by_icalendar(zone, with_zones=False),
    "icalendar with zones": lambda zone: by_icalendar(zone, with_zones=True),
}


def expected(zone: ZoneInfo) -> list[tuple[datetime, datetime]]:
    starts = [(FIRST + timedelta(weeks=week)).replace(tzinfo=zone).astimezone(UTC) for week in range(WEEKS)]
    return [(start, start + LENGTH) for start in starts if AFTER <= start < BEFORE]


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("writer", WRITERS)
def test_weekly_event_is_busy_at_its_local_time(writer: str, name: str) -> None:
    zone = ZoneInfo(name)
    assert busy_periods([WRITERS[writer](zone)], reading(zone="Asia/Tokyo")) == expected(zone)


@pytest.mark.parametrize("name", ["America/Denver", "America/New_York", "Europe/Berlin", "Australia/Sydney"])
def test_zone_with_a_short_name_has_the_rules_of_its_file(name: str) -> None:
    zone = ZoneInfo(name)
    assert busy_periods([by_vobject(zone)], reading(zone="Asia/Tokyo")) == expected(zone)
