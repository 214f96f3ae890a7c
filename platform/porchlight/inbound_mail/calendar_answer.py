"""The answer to an invitation: "Yes", "No" or "Maybe" of a calendar program (iTIP REPLY, RFC 5546 3.2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from icalendar import Calendar, Event

from tenants.kit.ids import parse_id

MAX_BYTES = 200_000
AttendeeStatus = Literal["accepted", "declined", "tentative"]
_ANSWERS: dict[str, AttendeeStatus] = {"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative"}


@dataclass(frozen=True, slots=True)
class CalendarAnswer:
    """An attendee's answer about an event. `sequence`: of the invitation that they saw. `comment`: their words."""

    event_id: UUID
    attendee: str
    answer: AttendeeStatus
    sequence: int
    comment: str


def read_calendar_answer(content: bytes, base_host: str) -> CalendarAnswer | None:
    """Return the answer in a calendar file, or None if it has none about one of our events."""
    if len(content) > MAX_BYTES:
        return None
    try:
        calendar = Calendar.from_ical(content)
        method = str(calendar.get("METHOD", "")).upper()
        events = calendar.events
    except (ValueError, KeyError, AttributeError):
        return None
    if method != "REPLY" or len(events) != 1:
        return None
    return _read_event(events[0], base_host)


def _read_event(event: Event, base_host: str) -> CalendarAnswer | None:
    name, _, host = str(event.get("UID", "")).partition("@")
    event_id = parse_id(name)
    attendees = event.get("ATTENDEE", [])
    attendee = attendees if not isinstance(attendees, list) else attendees[0] if len(attendees) == 1 else None
    if event_id is None or host.lower() != base_host or attendee is None:
        return None
    answer = _ANSWERS.get(str(attendee.params.get("PARTSTAT", "")).upper())
    scheme, _, address = str(attendee).partition(":")
    if answer is None or scheme.lower() != "mailto":
        return None
    try:
        sequence = int(event.get("SEQUENCE", 0))
    except (TypeError, ValueError):
        sequence = 0
    return CalendarAnswer(event_id, address.strip().lower(), answer, sequence, str(event.get("COMMENT", ""))[:500])
