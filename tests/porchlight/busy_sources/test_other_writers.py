"""Calendar files that libraries of other programs write, with their own definitions of zones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
import vobject  # type: ignore[import-untyped]

from porchlight.features.busy_sources.parsing.busy import busy_periods
from tests.porchlight.busy_sources.calendar_files import AFTER, BEFORE, reading, shown

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


@pytest.mark.parametrize(
    "name",
    ["America/Denver", "America/New_York", "Europe/London", "Europe/Berlin", "Europe/Athens", "Australia/Sydney"],
)
def test_zone_with_a_short_name_has_the_rules_of_its_file(name: str) -> None:
    zone = ZoneInfo(name)
    assert busy_periods([by_vobject(zone)], reading(zone="Asia/Tokyo")) == expected(zone)


# January, July, a series over the change of the clock without its second time, days, and the nights of both changes.
WRITTEN = [
    "01-15T16:00/17:00", "03-01T16:00/17:00", "03-14T08:30/09:30", "03-15T15:00/16:00", "03-22T15:00/16:00",
    "04-05T15:00/16:00", "04-13T20:00/21:00", "05-10T06:00/05-12T06:00", "07-15T15:00/16:00", "11-07T07:00/09:30",
]  # fmt: skip


@pytest.mark.parametrize("writer", ["ical-generator", "ics", "ical-js"])
def test_file_of_a_javascript_library_is_read(writer: str) -> None:
    content = (Path(__file__).parent / "written" / f"{writer}.ics").read_bytes()
    assert [shown(one) for one in busy_periods([content], reading())] == WRITTEN


def agenda() -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Yield the events of those files: id, start, end and what else they have."""

    def at(month: int, day: int, hour: int, minute: int = 0) -> datetime:
        return datetime(2027, month, day, hour, minute, tzinfo=ZoneInfo("America/Denver"))

    yield "winter", at(1, 15, 9), at(1, 15, 10), {}
    yield "summer", at(7, 15, 9), at(7, 15, 10), {}
    yield "series", at(3, 1, 9), at(3, 1, 10), {"rrule": {"freq": "weekly", "count": 4}, "exdate": at(3, 8, 9)}
    yield "days", date(2027, 5, 10), date(2027, 5, 12), {}
    yield "free", at(7, 16, 9), at(7, 16, 10), {"transp": "TRANSPARENT"}
    yield "canceled", at(7, 17, 9), at(7, 17, 10), {"status": "CANCELLED"}
    yield "spring", at(3, 14, 1, 30), at(3, 14, 3, 30), {}
    yield "fall", at(11, 7, 1), at(11, 7, 2, 30), {}
    yield "moved", at(4, 5, 9), at(4, 5, 10), {"rrule": {"freq": "weekly", "count": 2}}
    yield "moved", at(4, 13, 14), at(4, 13, 15), {"recurrence-id": at(4, 12, 9)}


def agenda_by_icalendar() -> bytes:
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//example//EN")
    calendar.add("version", "2.0")
    for uid, start, end, more in agenda():
        event = icalendar.Event()
        for name, value in {"uid": uid, "dtstamp": FIRST.replace(tzinfo=UTC), "summary": "é" * 90, **more}.items():
            event.add(name, value)
        event.add("dtstart", start)
        event.add("dtend", end)
        calendar.add_component(event)
    calendar.add_missing_timezones()
    content: bytes = calendar.to_ical()
    return content


def agenda_by_vobject() -> bytes:
    calendar = vobject.iCalendar()
    for uid, start, end, more in agenda():
        event = calendar.add("vevent")
        event.add("uid").value = uid
        event.add("summary").value = "é" * 90
        event.add("dtstart").value = start
        event.add("dtend").value = end
        for name, value in more.items():
            if name == "rrule":
                value = ";".join(f"{key}={part}" for key, part in value.items()).upper()
            event.add(name).value = [value] if name == "exdate" else value
    content: str = calendar.serialize()
    return content.encode()


# vobject writes the changes of a zone an hour late (findings/vobject-zone-changes.sh), so both nights end by its rules.
LATE_CHANGES = {"03-14T08:30/09:30": "03-14T08:30/10:30", "11-07T07:00/09:30": "11-07T07:00/08:30"}


@pytest.mark.parametrize(("write", "differs"), [(agenda_by_icalendar, {}), (agenda_by_vobject, LATE_CHANGES)])
def test_file_of_a_python_library_is_read(write: Callable[[], bytes], differs: dict[str, str]) -> None:
    assert [shown(one) for one in busy_periods([write()], reading())] == [differs.get(one, one) for one in WRITTEN]
