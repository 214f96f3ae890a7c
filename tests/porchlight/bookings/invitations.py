"""Sample invitations."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from icalendar import Calendar

from porchlight.emails.invitations import Invitation

BOOKING_ID = UUID("0197c2d4-0000-7000-8000-000000000001")


def create_invitation(**changes: Any) -> Invitation:
    """Return an invitation to a cooking session; `changes` are fields of Invitation."""
    values: dict[str, Any] = {
        "event_id": BOOKING_ID,
        "sequence": 0,
        "method": "request",
        "changed_at": datetime(2026, 11, 23, 10, 30, 15, tzinfo=UTC),
        "starts_at": datetime(2026, 12, 1, 16, tzinfo=UTC),
        "ends_at": datetime(2026, 12, 1, 17, tzinfo=UTC),
        "summary": "One-on-One Consultation with Chef Rosa",
        "description": "Bring an apron.\nSee you then.",
        "location": "12 Elm Street, Denver",
        "organizer_name": "Chef Rosa",
        "organizer_address": "notices@porchlight.example",
        "attendee_name": "Ada Alvarez",
        "attendee_address": "ada@example.com",
        "base_host": "porchlight.example",
    }
    return Invitation(**(values | changes))


def without_method(content: bytes) -> bytes:
    """Return an iCalendar file as a calendar stores it: a stored event has no METHOD (RFC 4791, section 4.1)."""
    calendar = Calendar.from_ical(content)
    del calendar["METHOD"]
    stored: bytes = calendar.to_ical()
    return stored
