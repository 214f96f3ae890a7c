"""The busy times of calendar files, with what other programs write."""

from __future__ import annotations

import pytest

from porchlight.features.busy_sources.parsing.busy import busy_periods
from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from tests.porchlight.busy_sources.calendar_files import OWN_HOST, calendar_file, read, reading, shown

ONE = "DTSTART:20261130T160000Z | DTEND:20261130T170000Z"
DENVER = "TZID=America/Denver"
SHOWN_DENVER = "(UTC-07:00) Mountain Time (US & Canada)"
ALL_HOURS = ",".join(map(str, range(24)))
WEEKLY = "DTSTART;TZID=America/Denver:20261102T090000 | DTEND;TZID=America/Denver:20261102T100000"
# Its rules are those of Denver, under a name that the time zone database has for a zone without daylight saving.
OWN_MST = """BEGIN:VTIMEZONE
TZID:MST
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
TZOFFSETFROM:-0700
TZOFFSETTO:-0600
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
TZOFFSETFROM:-0600
TZOFFSETTO:-0700
END:STANDARD
END:VTIMEZONE
"""


def fixed_zone(name: str, offset: str) -> str:
    rules = f"BEGIN:STANDARD\nDTSTART:20000101T000000\nTZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\n"
    return f"BEGIN:VTIMEZONE\nTZID:{name}\n{rules}END:VTIMEZONE\n"


@pytest.mark.parametrize(
    ("event", "busy"),
    [
        (ONE, ["11-30T16:00/17:00"]),
        ("DTSTART:20261130T160000Z | DURATION:PT90M", ["11-30T16:00/17:30"]),
        ("DTSTART:20261130T160000Z", []),
        ("DTSTART:20261130T160000Z | DTEND:20261130T160000Z", []),
        ("DTSTART:20261130T090000 | DTEND:20261130T100000", ["11-30T16:00/17:00"]),
        ("DTSTART;VALUE=DATE:20261130", ["11-30T07:00/12-01T07:00"]),
        ("DTSTART;VALUE=DATE:20261130 | DTEND;VALUE=DATE:20261202", ["11-30T07:00/12-02T07:00"]),
        ("DTSTART;VALUE=DATE:20261130 | DURATION:P2D", ["11-30T07:00/12-02T07:00"]),
        ('DTSTART;TZID="America/Denver":20261130T090000 | DURATION:PT1H', ["11-30T16:00/17:00"]),
        ("DTSTART;TZID=/mozilla.org/20050126_1/America/Denver:20261130T090000 | DURATION:PT1H", ["11-30T16:00/17:00"]),
        ("DTSTART;TZID=Mountain Standard Time:20261130T090000 | DURATION:PT1H", ["11-30T16:00/17:00"]),
        (f'DTSTART;TZID="{SHOWN_DENVER}":20270701T090000 | DURATION:PT1H', ["07-01T15:00/16:00"]),
        ('DTSTART;TZID="(UTC+03:30) Somewhere":20261130T090000 | DURATION:PT1H', ["11-30T04:30/07:30"]),
        ("DTSTART;TZID=Nowhere:20261130T090000 | DURATION:PT1H", ["11-30T16:00/17:00"]),
        # The night on which the clock goes forward: 2:30 has the offset before the gap.
        ("DTSTART;TZID=America/Denver:20270314T023000 | DURATION:PT1H", ["03-14T09:30/10:30"]),
        (f"DTSTART;{DENVER}:20270314T013000 | DTEND;{DENVER}:20270314T023000", ["03-14T08:30/09:30"]),
        # The night on which it goes back: 1:30 is the first one.
        ("DTSTART;TZID=America/Denver:20271107T013000 | DURATION:PT1H", ["11-07T07:30/08:30"]),
        ("DTSTART:nonsense | DURATION:PT1H", []),
    ],
)  # fmt: skip
def test_event_times_are_instants(event: str, busy: list[str]) -> None:
    assert read(event) == busy


@pytest.mark.parametrize(
    ("rule", "count", "last"),
    [
        ("RRULE:FREQ=WEEKLY;COUNT=3", 3, "11-16T16:00/17:00"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261116T160000Z", 3, "11-16T16:00/17:00"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261116", 3, "11-16T16:00/17:00"),
        ("RRULE:FREQ=WEEKLY;UNTIL=20261115", 2, "11-09T16:00/17:00"),
        ("RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3", 3, "11-30T16:00/17:00"),
        ("RRULE:FREQ=DAILY;COUNT=4 | EXDATE;TZID=America/Denver:20261103T090000", 3, "11-05T16:00/17:00"),
        ("RRULE:FREQ=DAILY;COUNT=4 | EXDATE:20261103T160000Z,20261104T160000Z", 2, "11-05T16:00/17:00"),
        ("RRULE:FREQ=DAILY;COUNT=4 | EXDATE;VALUE=DATE:20261105", 3, "11-04T16:00/17:00"),
        ("RRULE:FREQ=DAILY;COUNT=4 | EXRULE:FREQ=DAILY;INTERVAL=3", 2, "11-04T16:00/17:00"),
        ("RDATE;TZID=America/Denver:20261110T090000,20261111T090000", 3, "11-11T16:00/17:00"),
        ("RDATE;VALUE=PERIOD:20261110T160000Z/PT3H,20261111T160000Z/20261111T180000Z", 3, "11-11T16:00/18:00"),
        ("RRULE:RSCALE=CHINESE;FREQ=YEARLY", 1, "11-02T16:00/17:00"),
        ("RRULE:RSCALE=GREGORIAN;FREQ=WEEKLY;COUNT=2;SKIP=OMIT", 2, "11-09T16:00/17:00"),
        ("RRULE:FREQ=FORTNIGHTLY", 1, "11-02T16:00/17:00"),
        ("RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2", 2, "12-07T16:00/17:00"),
    ],
)
def test_repeating_event_is_busy_each_time(rule: str, count: int, last: str) -> None:
    found = read(f"{WEEKLY} | {rule}")
    assert (len(found), found[-1]) == (count, last)


@pytest.mark.parametrize("start", ["19990104T090000", "20201207T090000", "20261102T090000"])
@pytest.mark.parametrize("rule", ["FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=1", "FREQ=DAILY;INTERVAL=7"])
def test_old_event_has_the_times_of_a_new_one(start: str, rule: str) -> None:
    found = read(f"DTSTART;TZID=America/Denver:{start} | DURATION:PT1H | RRULE:{rule}")
    assert found[:2] == ["11-02T16:00/17:00", "11-09T16:00/17:00"]
    assert "03-15T15:00/16:00" in found
    assert len(found) == 57


def test_changed_instance_replaces_its_time() -> None:
    series = f"{WEEKLY} | RRULE:FREQ=WEEKLY;COUNT=3"
    moved = "RECURRENCE-ID;TZID=America/Denver:20261109T090000 | DTSTART:20261110T200000Z | DURATION:PT1H"
    content = calendar_file(series).decode()
    for change, busy in (
        (moved, ["11-02T16:00/17:00", "11-10T20:00/21:00", "11-16T16:00/17:00"]),
        (f"{moved} | STATUS:CANCELLED", ["11-02T16:00/17:00", "11-16T16:00/17:00"]),
    ):
        event = "BEGIN:VEVENT\r\nUID:0@x\r\n" + "".join(f"{line}\r\n" for line in change.split(" | "))
        both = content.replace("END:VCALENDAR", f"{event}END:VEVENT\r\nEND:VCALENDAR")
        assert [shown(one) for one in busy_periods([both.encode()], reading())] == busy


def test_change_of_later_instances_keeps_both_times() -> None:
    series = calendar_file(f"{WEEKLY} | RRULE:FREQ=WEEKLY;COUNT=3").decode()
    mark = "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=America/Denver:20261109T090000"
    event = f"BEGIN:VEVENT\r\nUID:0@x\r\n{mark}\r\nDTSTART:20261109T200000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\n"
    found = busy_periods([series.replace("END:VCALENDAR", f"{event}END:VCALENDAR").encode()], reading())
    assert [shown(one) for one in found] == [
        "11-02T16:00/17:00", "11-09T20:00/21:00", "11-16T16:00/17:00", "11-16T20:00/21:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "TRANSP:TRANSPARENT",
        "STATUS:CANCELLED",
        "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        "ATTENDEE;CN=Rosa;PARTSTAT=DECLINED:MAILTO:Rosa@Example.com",
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


def test_own_rules_hold_under_a_short_name() -> None:
    event = "DTSTART;TZID=MST:{}T090000 | DURATION:PT1H"
    found = read(event.format("20261130"), event.format("20270701"), zones=OWN_MST)
    assert found == ["11-30T16:00/17:00", "07-01T15:00/16:00"]
    assert read(event.format("20270701")) == ["07-01T16:00/17:00"]


def test_own_rules_that_lie_about_a_place_are_ignored() -> None:
    lie = fixed_zone("America/Denver", "+0900")
    assert read("DTSTART;TZID=America/Denver:20261130T090000 | DURATION:PT1H", zones=lie) == ["11-30T16:00/17:00"]


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


def test_folded_lines_and_other_line_ends_are_read() -> None:
    content = calendar_file(f"SUMMARY:{'é' * 60} | {ONE}").replace(b"\xc3\xa9\xc3\xa9", b"\xc3\r\n \xa9\xc3\xa9")
    for changed in (content, content.replace(b"\r\n", b"\n"), b"\xef\xbb\xbf" + content):
        assert [shown(one) for one in busy_periods([changed], reading())] == ["11-30T16:00/17:00"]


def test_published_free_busy_times_are_read() -> None:
    times = "FREEBUSY;FBTYPE=BUSY:20261130T160000Z/PT1H,20261201T160000Z/20261201T170000Z"
    free = "FREEBUSY;FBTYPE=FREE:20261202T160000Z/PT1H"
    content = f"BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\n{times}\n{free}\nEND:VFREEBUSY\nEND:VCALENDAR\n"
    found = busy_periods([content.encode()], reading())
    assert [shown(one) for one in found] == ["11-30T16:00/17:00", "12-01T16:00/17:00"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not_a_calendar"),
        (b"<html>Sign in</html>", "not_a_calendar"),
        (calendar_file(ONE)[:-20], "not_a_calendar"),
        (calendar_file(f"{ONE} | RRULE:FREQ=MINUTELY"), "too_frequent"),
        (calendar_file(f"{ONE} | RRULE:FREQ=SECONDLY;COUNT=2"), "too_frequent"),
        (calendar_file(f"{ONE} | RRULE:FREQ=DAILY;BYHOUR={ALL_HOURS};BYMINUTE=1,2,3"), "too_many_events"),
        (b"BEGIN:VCALENDAR\n" * 9, "not_a_calendar"),
        (b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 10_000, "too_large"),
    ],
)  # fmt: skip
def test_file_that_is_not_read_says_why(content: bytes, reason: str) -> None:
    with pytest.raises(FileRefused, match=reason):
        busy_periods([content], reading())
