"""Random edits of calendar files: what broken programs, cut transfers and attackers make of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_PIECES = (
    b";", b":", b",", b"=", b"/", b"\r\n", b"\r\n ", b"T", b"Z", b"P", b"9", b"0", b"-", b'"', b"\xff", b"\xc3",
    b"99999", b"BYHOUR=25;", b"WKST=SU;", b"INTERVAL=2;", b"UNTIL=00010101;",
)  # fmt: skip
_LINES = (
    b"BEGIN:VEVENT", b"END:VEVENT", b"RRULE:FREQ=YEARLY", b"RRULE:FREQ=MONTHLY;BYDAY=MO,-1TU;BYSETPOS=2",
    b"EXDATE:20261109T160000Z", b"RDATE;VALUE=PERIOD:20261109T160000Z/P1D", b"DURATION:P99999D",
    b"RECURRENCE-ID;RANGE=THISANDFUTURE:20261109T160000Z", b"DTEND:00010101T000000Z", b"DTSTART;VALUE=DATE:20261109",
    b"DTSTART;TZID=Pacific/Kiritimati:99991231T235959", b"DTSTART;TZID=Pacific/Kiritimati:00010101T000000",
)  # fmt: skip
MAX_EDITS = 4


def edited(random: Random, files: Sequence[bytes]) -> bytes:
    """Return one of the files with up to four edits."""
    content = random.choice(files)
    for _ in range(random.randint(1, MAX_EDITS)):
        content = random.choice((_cut, _insert, _flip, _repeat_line, _add_line))(random, content)
    return content


def _cut(random: Random, content: bytes) -> bytes:
    start = random.randrange(len(content))
    return content[:start] + content[start + random.randint(1, 8) :]


def _insert(random: Random, content: bytes) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + random.choice(_PIECES) + content[at:]


def _flip(random: Random, content: bytes) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + bytes([random.randrange(256)]) + content[at + 1 :]


def _repeat_line(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\r\n")
    lines.insert(random.randrange(len(lines)), random.choice(lines))
    return b"\r\n".join(lines)


def _add_line(random: Random, content: bytes) -> bytes:
    lines = content.split(b"\r\n")
    lines.insert(random.randrange(len(lines)), random.choice(_LINES))
    return b"\r\n".join(lines)
