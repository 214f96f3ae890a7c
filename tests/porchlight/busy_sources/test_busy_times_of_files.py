"""The busy times of calendar files, with what other programs write."""

from __future__ import annotations

import pytest

from porchlight.features.busy_sources.parsing.busy import busy_periods
from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from tests.porchlight.busy_sources.calendar_files import OWN_HOST, calendar_file, read, reading, shown

ONE = "DTSTART:20261130T160000Z | DTEND:20261130T170000Z"
ALL_HOURS = ",".join(map(str, range(24)))


def fixed_zone(name: str, offset: str) -> str:
    rules = f"BEGIN:STANDARD\nDTSTART:20000101T000000\nTZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\n"
    return f"BEGIN:VTIMEZONE\nTZID:{name}\n{rules}END:VTIMEZONE\n"


@pytest.mark.parametrize("start", ["19990104T090000", "20201207T090000", "20261102T090000"])
@pytest.mark.parametrize("rule", ["FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=1", "FREQ=DAILY;INTERVAL=7"])
def test_old_event_has_the_times_of_a_new_one(start: str, rule: str) -> None:
    found = read(f"DTSTART;TZID=America/Denver:{start} | DURATION:PT1H | RRULE:{rule}")
    assert found[:2] == ["11-02T16:00/17:00", "11-09T16:00/17:00"]
    assert "03-15T15:00/16:00" in found
    assert len(found) == 57


@pytest.mark.parametrize(
    "line",
    [
        "TRANSP:TRANSPARENT",
        "STATUS:CANCELLED",
        "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        "ATTENDEE;CN=Rosa;PARTSTAT=DECLINED:MAILTO:Rosa@Example.com",
        'ATTENDEE;EMAIL="rosa@example.com";PARTSTAT=DECLINED:/aMTk2/principal/',
        f"UID:5f0c@{OWN_HOST}",
    ],
)
def test_event_that_is_not_busy_is_left_out(line: str) -> None:
    assert read(ONE) == ["11-30T16:00/17:00"]
    content = calendar_file(f"{line} | {ONE}").decode()
    if line.startswith("UID"):
        content = content.replace("UID:0@x\r\n", "")
    assert busy_periods([content.encode()], reading(addresses=frozenset({"rosa@example.com"}))) == []


def test_event_that_others_declined_is_busy() -> None:
    declined = "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@example.com"
    assert read(f"{ONE} | {declined}", addresses=frozenset({"rosa@example.com"})) == ["11-30T16:00/17:00"]


def test_all_day_event_counts_if_wanted() -> None:
    assert read("DTSTART;VALUE=DATE:20261130", all_day_blocks=False) == []
    assert read(ONE, all_day_blocks=False) == ["11-30T16:00/17:00"]


def test_zones_of_one_name_are_those_of_their_file() -> None:
    name = "Customized Time Zone"
    event = f"DTSTART;TZID={name}:20261130T090000 | DURATION:PT1H"
    files = [calendar_file(event, zones=fixed_zone(name, offset)) for offset in ("-0700", "+0100")]
    assert [shown(one) for one in busy_periods(files, reading())] == ["11-30T08:00/09:00", "11-30T16:00/17:00"]


def test_overlapping_times_are_joined() -> None:
    assert read(
        "DTSTART:20261130T160000Z | DURATION:PT1H",
        "DTSTART:20261130T163000Z | DURATION:PT1H",
        "DTSTART:20261130T173000Z | DURATION:PT1H",
    ) == ["11-30T16:00/18:30"]


TOKYO_AS_ZURICH = fixed_zone("Zürich", "+0900")


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n", b"\r", b"\r\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\r\n"])
@pytest.mark.parametrize(
    ("written", "folded"),
    [
        (b"SUMMARY:\xc3\xa9", b"SUMMARY:\xc3\r\n \xa9"),
        (b"Z\xc3\xbcrich:2026", b"Z\xc3\r\n \xbcrich:2026"),
        (b"DTSTART;TZID", b"DTS\r\n TART;TZID"),
        (b"20261201T0100", b"2026\r\n 1201\r\n\tT0100"),
        (b"BEGIN:VEVENT", b"BEGIN:VEV\r\n ENT"),
    ],
)
def test_folded_lines_and_other_line_ends_are_read(
    written: bytes, folded: bytes, start: bytes, line_end: bytes
) -> None:
    event = "SUMMARY:é | DTSTART;TZID=Zürich:20261201T010000 | DURATION:PT1H"
    content = calendar_file(event, zones=TOKYO_AS_ZURICH)
    assert content.count(written) == 1
    changed = start + content.replace(written, folded).replace(b"\r\n", line_end)
    assert [shown(one) for one in busy_periods([changed], reading())] == ["11-30T16:00/17:00"]


def test_picture_in_a_line_is_skipped_and_a_long_list_is_not() -> None:
    long_ago = ",".join(["19990101T000000Z"] * 7_000)
    busy = read(f"ATTACH:{'A' * 200_000} | {ONE} | RDATE:{long_ago},20261201T160000Z")
    assert busy == ["11-30T16:00/17:00", "12-01T16:00/17:00"]


@pytest.mark.parametrize(
    ("line", "busy"),
    [
        ("FREEBUSY:20261130T160000Z/PT1H", ["11-30T16:00/17:00"]),
        ("FREEBUSY;FBTYPE=BUSY:20261130T160000Z/20261130T170000Z", ["11-30T16:00/17:00"]),
        ("FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261130T160000Z/PT1H", ["11-30T16:00/17:00"]),
        ("FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20261130T160000Z/PT1H", ["11-30T16:00/17:00"]),
        ("FREEBUSY;FBTYPE=X-ELSEWHERE:20261130T160000Z/PT1H", ["11-30T16:00/17:00"]),
        ("FREEBUSY;FBTYPE=FREE:20261130T160000Z/PT1H", []),
        ("FREEBUSY:20261130T160000Z/PT1H,20261201T160000Z/PT1H", ["11-30T16:00/17:00", "12-01T16:00/17:00"]),
        ("FREEBUSY:20261130T160000Z/-PT1H", []),
        ("FREEBUSY:20261130T160000Z", []),
        ("FREEBUSY:never/PT1H", []),
        ("DTSTART:20261101T000000Z\r\nDTEND:20270101T000000Z", []),
    ],
)
def test_published_free_busy_times_are_read(line: str, busy: list[str]) -> None:
    content = f"BEGIN:VCALENDAR\r\nBEGIN:VFREEBUSY\r\n{line}\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n"
    assert [shown(one) for one in busy_periods([content.encode()], reading())] == busy


@pytest.mark.parametrize("component", ["VTODO", "VJOURNAL", "VAVAILABILITY"])
def test_component_that_is_no_event_is_not_busy(component: str) -> None:
    content = calendar_file(ONE).replace(b":VEVENT", f":{component}".encode())
    assert busy_periods([content], reading()) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not_a_calendar"),
        (b"<html>Sign in</html>", "not_a_calendar"),
        (calendar_file(ONE)[:-20], "not_a_calendar"),
        (calendar_file(f"{ONE} | RRULE:FREQ=MINUTELY"), "too_frequent"),
        (calendar_file(f"{ONE} | RRULE:FREQ=MINUTELY;INTERVAL=59"), "too_frequent"),
        (calendar_file(f"{ONE} | RRULE:FREQ=SECONDLY;COUNT=2"), "too_frequent"),
        (calendar_file(f"{ONE} | RRULE:FREQ=DAILY;BYHOUR={ALL_HOURS};BYMINUTE=1,2,3"), "too_many_events"),
        (b"BEGIN:VCALENDAR\n" * 9, "not_a_calendar"),
        (b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 10_000, "too_large"),
    ],
)  # fmt: skip
def test_file_that_is_not_read_says_why(content: bytes, reason: str) -> None:
    with pytest.raises(FileRefused, match=reason):
        busy_periods([content], reading())
