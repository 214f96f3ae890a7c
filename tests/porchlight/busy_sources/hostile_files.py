"""Calendar files that would cost a reader much time or memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tests.porchlight.busy_sources.calendar_files import calendar_file

ONE = "DTSTART:20261130T160000Z | DTEND:20261130T170000Z"
OLD = "DTSTART:00010101T000000Z | DURATION:PT1M | RRULE:"
HOUR = "DTSTART:20261130T160000Z | DURATION:PT1H"
_DAYS = ",".join(map(str, range(1, 32)))
_HOURS = ",".join(map(str, range(24)))
_MOMENTS = ",".join(["20261130T160000Z"] * 290_000)


def _zones(rule: str, count: int = 1) -> str:
    return "".join(
        f"BEGIN:VTIMEZONE\nTZID:Z{number}\nBEGIN:STANDARD\nDTSTART:00010101T000000\n{rule}\nTZOFFSETFROM:+0000\n"
        "TZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n"
        for number in range(count)
    )


def _in_zones(count: int) -> list[str]:
    return [f"DTSTART;TZID=Z{number}:20261130T090000 | DURATION:PT1H" for number in range(count)]


# Each is refused. They are functions, because together they have 80 MB.
REFUSED: Mapping[str, Callable[[], bytes]] = MappingProxyType(
    {
        "deep": lambda: b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 100_000,
        "many components": lambda: b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 200_000,
        "many calendars": lambda: b"BEGIN:VCALENDAR\nEND:VCALENDAR\n" * 160_000,
        "every minute": lambda: calendar_file(f"{ONE} | RRULE:FREQ=MINUTELY"),
        "every second": lambda: calendar_file(f"{ONE} | RRULE:FREQ=SECONDLY;INTERVAL=59;COUNT=3"),
        "many old rules": lambda: calendar_file(*[f"{OLD}FREQ=HOURLY;COUNT=99999999"] * 500),
        "never": lambda: calendar_file(*[f"{OLD}FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3"] * 2_000),
        "all hours": lambda: calendar_file(
            *["DTSTART:20200101T000000Z | DURATION:PT1M | RRULE:FREQ=HOURLY"] * 3_000
        ),
        "no calendar": lambda: b"\x00" * 5_000_000,
        "line ends": lambda: b"BEGIN:VCALENDAR" + b"\r" * 5_000_000,
        "one line": lambda: b"BEGIN:VCALENDAR" + b";A=" * 1_500_000,
        "quotes": lambda: b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + b'DTSTART;X="' * 400_000 + b"\n",
        "published times": lambda: (
            b"BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nFREEBUSY:"
            + b",".join([b"20261130T160000Z/PT1H"] * 230_000)
            + b"\nEND:VFREEBUSY\nEND:VCALENDAR\n"
        ),
        "zone of seconds": lambda: calendar_file(*_in_zones(1), zones=_zones("RRULE:FREQ=SECONDLY")),
    }
)  # fmt: skip
# Each is refused or read: that depends on how fast the machine is.
HEAVY: Mapping[str, Callable[[], bytes]] = MappingProxyType(
    {
        "zone of all hours": lambda: calendar_file(
            *_in_zones(1), zones=_zones(f"RRULE:FREQ=YEARLY;BYMONTHDAY={_DAYS};BYHOUR={_HOURS}")
        ),
        "many zones": lambda: calendar_file(*_in_zones(2_000), zones=_zones("RRULE:FREQ=DAILY", 2_000)),
        "zone of dates": lambda: calendar_file(*_in_zones(1), zones=_zones("RDATE:20200101T000000\n" * 200_000)),
        "added times": lambda: calendar_file(f"{HOUR} | RDATE:{_MOMENTS}"),
        "left out times": lambda: calendar_file(f"{HOUR} | EXDATE:{_MOMENTS}"),
        "left out times of many": lambda: calendar_file(
            *[f"{HOUR} | RRULE:FREQ=DAILY;COUNT=2 | EXDATE:{_MOMENTS[: 17 * 3_000 - 1]}"] * 90
        ),
        "changes of later ones": lambda: calendar_file(
            "DTSTART:20261102T160000Z | DURATION:PT1M | RRULE:FREQ=HOURLY",
            *[
                f"RECURRENCE-ID;RANGE=THISANDFUTURE:2026{1 + n % 12:02}{1 + n % 28:02}T{n % 24:02}0000Z | {HOUR}"
                for n in range(9_000)
            ],
        ),
        "changes of one": lambda: calendar_file(
            f"{HOUR} | RRULE:FREQ=HOURLY", *[f"RECURRENCE-ID:20261130T160000Z | {HOUR}"] * 9_000
        ),
        "guests": lambda: calendar_file(f"{HOUR} | " + " | ".join(["ATTENDEE;PARTSTAT=DECLINED:mailto:a@b"] * 120_000)),
        "rules of one": lambda: calendar_file(f"{HOUR} | " + " | ".join(["RRULE:FREQ=DAILY"] * 250_000)),
        "long rule": lambda: calendar_file(f"{HOUR} | RRULE:FREQ=YEARLY;BYDAY=" + ",".join(["1MO"] * 24_000)),
        "sets of a rule": lambda: calendar_file(
            *[f"{OLD}FREQ=YEARLY;BYMONTHDAY={_DAYS};BYHOUR={_HOURS};BYMINUTE=1,2,3,4,5;BYSETPOS=-1,1,2"] * 400
        ),
        "impossible weeks": lambda: calendar_file(*[f"{OLD}FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=1;BYMONTH=6"] * 300),
        "folds": lambda: b"BEGIN:VCALENDAR\r\nX:" + b"\r\n " * 1_600_000 + b"\r\nEND:VCALENDAR\r\n",
        "long name": lambda: b"BEGIN:VCALENDAR\r\n" + b"A" * 4_900_000 + b"\r\nEND:VCALENDAR\r\n",
        "parameters": lambda: calendar_file(*["DTSTART" + ";A=B" * 24_000 + ":20261130T160000Z | DURATION:PT1H"] * 50),
        "short lines": lambda: calendar_file("UID:" + " | UID:" * 600_000),
        "digits": lambda: calendar_file(f"{HOUR} | RRULE:FREQ=DAILY;INTERVAL=" + "9" * 90_000),
        "names of files": lambda: calendar_file(
            *[
                f"DTSTART;TZID={name}:20261130T160000 | DURATION:PT1H"
                for name in ("../../../etc/passwd", "/etc/localtime", "A/\x00", "America/", "a/" * 30_000 + "b")
            ]
        ),
    }
)  # fmt: skip
