"""Calendar files of sessions: invitations with one event, which later ones move or cancel."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote
from uuid import UUID

import icalendar
from icalendar import vCalAddress, vText

from porchlight.ports import CalendarFile
from tenants.kit.email_addresses import wire_email

PRODUCT_ID = "-//Porchlight//Bookings//EN"
# Characters that an address in a mailto URI may have unencoded (RFC 6068, section 2), and "@".
_MAILTO_SAFE = "@!$'*+-._~"
_TEXT_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
# A quotation mark in a parameter is encoded (RFC 6868), and many calendars show the code. Semicolons and backslashes
# have no meaning in a quoted one, but node-ical ends it at a semicolon, and icalendar reads a backslash as an escape.
_NAME_REPLACEMENTS = str.maketrans({'"': "'", "\\": "/", ";": ","})


@dataclass(frozen=True, slots=True)
class Invitation:
    """A session in the recipient's calendar.

    Calendars match the event by `event_id` and `base_host`, and apply a file only if its `sequence` is not lower than
    the last one. `changed_at` is the time of the booking, move or cancellation, so that a second attempt to send the
    email has the same bytes. All times have a zone; fractions of a second are dropped. `location` is a place or a URL.
    The organizer's address must differ from the attendee's: calendars do not show people their own invitations.
    """

    event_id: UUID
    sequence: int
    method: Literal["request", "cancel"]
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    summary: str
    description: str
    location: str
    organizer_name: str
    organizer_address: str
    attendee_name: str
    attendee_address: str
    base_host: str
    asks_for_answer: bool = False

    def __post_init__(self) -> None:
        """Refuse times without a zone and an end that is not after the start."""
        if any(moment.tzinfo is None for moment in (self.changed_at, self.starts_at, self.ends_at)):
            raise ValueError("the times of an invitation must have a zone")
        # In UTC: Python compares times of one zone by the clock, on which the doubled hour may end before it starts.
        if self.ends_at.astimezone(UTC) <= self.starts_at.astimezone(UTC):
            raise ValueError("an invitation must end after it starts")


class _Text(vText):
    """A TEXT value (RFC 5545, section 3.3.11). The base class writes a backslash before an N as a line break."""

    def to_ical(self) -> bytes:
        return self.translate(_TEXT_ESCAPES).encode()


def invitation_file(invitation: Invitation) -> CalendarFile:
    """Return the iCalendar file (RFC 5545, RFC 5546) for an email to the attendee.

    Control characters are removed and line breaks outside the description become spaces, so that no text can add a
    line, a parameter or a property. The attendee counts as accepted, because the booking is the answer. They are asked
    for a reply where we receive email. There is no alarm: the calendar's own settings apply.
    """
    event = _event(invitation)
    attendee = _calendar_address(invitation.attendee_name, invitation.attendee_address)
    attendee.params.update(CUTYPE="INDIVIDUAL", ROLE="REQ-PARTICIPANT", PARTSTAT="ACCEPTED")
    attendee.params["RSVP"] = "TRUE" if invitation.asks_for_answer else "FALSE"
    event.add("attendee", attendee)
    method: Literal["REQUEST", "CANCEL"] = "REQUEST" if invitation.method == "request" else "CANCEL"
    calendar = icalendar.Calendar()
    calendar.add("prodid", PRODUCT_ID)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    calendar.add_component(event)
    return CalendarFile(method, calendar.to_ical())


def _event(invitation: Invitation) -> icalendar.Event:
    """Return the event of a session, without the attendee."""
    event = icalendar.Event()
    event.add("uid", f"{invitation.event_id}@{invitation.base_host}")
    event.add("sequence", invitation.sequence)
    event.add("dtstamp", invitation.changed_at.astimezone(UTC))
    event.add("dtstart", invitation.starts_at.astimezone(UTC))
    event.add("dtend", invitation.ends_at.astimezone(UTC))
    event.add("status", "CONFIRMED" if invitation.method == "request" else "CANCELLED")
    event.add("summary", _Text(clean_line(invitation.summary)))
    if description := clean_text(invitation.description):
        event.add("description", _Text(description))
    if location := clean_line(invitation.location):
        event.add("location", _Text(location))
    event.add("organizer", _calendar_address(invitation.organizer_name, invitation.organizer_address))
    return event


def clean_text(text: str) -> str:
    """Return `text` with line feeds as its only control characters, without space at its ends."""
    lines = text.replace("\t", " ").splitlines()
    return "\n".join(line if line.isprintable() else _without_controls(line) for line in lines).strip()


def _without_controls(line: str) -> str:
    return "".join(char for char in line if unicodedata.category(char) != "Cc")


def clean_line(text: str) -> str:
    """Return `text` on one line, without control characters."""
    return " ".join(clean_text(text).split())


def _calendar_address(name: str, address: str) -> vCalAddress:
    calendar_address = vCalAddress(f"mailto:{quote(wire_email(address), safe=_MAILTO_SAFE)}")
    if clean_name := clean_line(name).translate(_NAME_REPLACEMENTS):
        calendar_address.params["CN"] = clean_name
    return calendar_address
