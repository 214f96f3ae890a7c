"""Hostile calendar files are refused within seconds, in little memory, in a process that ends."""

from __future__ import annotations

import resource
import time

import pytest

from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.parsing.sandbox import read_busy_periods
from tests.porchlight.busy_sources.calendar_files import calendar_file, reading, shown

ONE = "DTSTART:20261130T160000Z | DTEND:20261130T170000Z"
MAX_CHILD_BYTES = 600 * 1024 * 1024
OLD = "DTSTART:00010101T000000Z | DURATION:PT1M | RRULE:"
HOSTILE = {
    "deep": b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 100_000,
    "many components": b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 200_000,
    "every minute": calendar_file(f"{ONE} | RRULE:FREQ=MINUTELY"),
    "many old rules": calendar_file(*[f"{OLD}FREQ=HOURLY;COUNT=99999999"] * 500),
    "never": calendar_file(*[f"{OLD}FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3"] * 2_000),
    "all hours": calendar_file(*["DTSTART:20200101T000000Z | DURATION:PT1M | RRULE:FREQ=HOURLY"] * 3_000),
    "no calendar": b"\x00" * 5_000_000,
    "one line": b"BEGIN:VCALENDAR" + b";A=" * 1_500_000,
    "quotes": b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + b'DTSTART;X="' * 400_000 + b"\n",
}
ZONE_OF_SECONDS = (
    "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:00010101T000000\nRRULE:FREQ=SECONDLY\n"
    "TZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
)
HOSTILE["zone"] = calendar_file("DTSTART;TZID=Some:20261130T090000 | DURATION:PT1H", zones=ZONE_OF_SECONDS).replace(
    b"TZID:Z", b"TZID:Some"
)
REFUSALS = ("too_large", "too_frequent", "too_many_events", "not_a_calendar")
SECONDS = 12  # ten, and the start of a process on a busy machine


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused_in_seconds(name: str) -> None:
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with pytest.raises(SourceFailed) as failed:
        read_busy_periods([HOSTILE[name]], reading())
    assert failed.value.failure in REFUSALS
    assert time.monotonic() - started < SECONDS
    # The maximum of all children until now: a child of another test may have been larger.
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert largest == before or largest * 1024 < MAX_CHILD_BYTES


def test_each_reading_has_a_process_of_its_own() -> None:
    content = calendar_file(ONE)
    assert [shown(one) for one in read_busy_periods([content, content], reading())] == ["11-30T16:00/17:00"]
