"""The calendar file of a feed (RFC 5545, RFC 7986).

Its events are those of the invitations: same ids, times and texts. It is written line by line, because a library takes
half a millisecond for an event; `tests/porchlight/bookings/test_feed_file.py` compares both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from porchlight.emails.invitations import clean_line, clean_text

PRODUCT_ID = "-//Porchlight//Calendar feeds//EN"
REFRESH_EVERY = "PT1H"
_MAX_OCTETS: Final = 75  # of a line, without its end
_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """A session in a feed. All times are aware."""

    event_id: UUID
    sequence: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    summary: str
    description: str
    location: str
    url: str


def feed_file(name: str, events: Iterable[FeedEvent], base_host: str) -> bytes:
    """Return the bytes of a feed in UTF-8. There is no METHOD: it is no invitation, and nothing is to be answered."""
    title = clean_line(name).translate(_ESCAPES)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT_ID}",
        "CALSCALE:GREGORIAN",
        f"NAME:{title}",
        f"X-WR-CALNAME:{title}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH_EVERY}",
        f"X-PUBLISHED-TTL:{REFRESH_EVERY}",
    ]
    for event in events:
        lines += (
            "BEGIN:VEVENT",
            f"UID:{event.event_id}@{base_host}",
            f"SEQUENCE:{event.sequence}",
            f"DTSTAMP:{_utc(event.changed_at)}",
            f"DTSTART:{_utc(event.starts_at)}",
            f"DTEND:{_utc(event.ends_at)}",
            "STATUS:CONFIRMED",
            f"SUMMARY:{clean_line(event.summary).translate(_ESCAPES)}",
            f"DESCRIPTION:{clean_text(event.description).translate(_ESCAPES)}",
        )
        if location := clean_line(event.location).translate(_ESCAPES):
            lines.append(f"LOCATION:{location}")
        lines += (f"URL:{event.url}", "END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join([_folded(line) for line in lines]).encode()


def _utc(moment: datetime) -> str:
    utc = moment.astimezone(UTC)
    return f"{utc.year:04}{utc.month:02}{utc.day:02}T{utc.hour:02}{utc.minute:02}{utc.second:02}Z"


def _folded(line: str) -> str:
    """Return a line in parts of at most 75 octets, without a cut within a character (RFC 5545, section 3.1)."""
    if line.isascii():
        rest = range(_MAX_OCTETS, len(line), _MAX_OCTETS - 1)
        return "\r\n ".join([line[:_MAX_OCTETS], *(line[at : at + _MAX_OCTETS - 1] for at in rest)]) + "\r\n"
    parts: list[str] = []
    part, octets = "", 0
    for character in line:
        size = len(character.encode())
        if octets + size > _MAX_OCTETS:
            parts.append(part)
            part, octets = " ", 1
        part += character
        octets += size
    return "\r\n".join([*parts, part]) + "\r\n"
