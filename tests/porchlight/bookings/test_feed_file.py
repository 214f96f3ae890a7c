"""The calendar file of a feed is what a library reads from it, and its events are those of the invitations."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from icalendar import Calendar

from porchlight.emails.invitations import Invitation, invitation_file
from porchlight.features.bookings.feeds.feed_file import FeedEvent, feed_file

HOST = "porchlight.example"
START = datetime(2026, 12, 1, 16, tzinfo=UTC)
EVENT = FeedEvent(
    UUID(int=7), 2, START - timedelta(days=3), START, START + timedelta(hours=1), "Lesson with Rosa",
    "To move it: https://porchlight.example", "12 Oak St", "https://porchlight.example/sessions/7",
)  # fmt: skip
TEXTS = (
    "Plain", "Semi;colon, comma \\ backslash", "Line\nbreak", "Tab\tand\x00control\x1f", "é" * 200, "日本語" * 60,
    "👩‍👩‍👧" * 20,    "BEGIN:VEVENT\r\nSUMMARY:x", "x" * 74, "x" * 75, "x" * 76, " spaces ", '"quoted"',
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_events_are_those_of_invitations(text: str) -> None:
    event = replace(EVENT, summary=text, description=text, location=text)
    content = feed_file("Porchlight", [event], HOST)
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    (read,) = Calendar.from_ical(content).walk("VEVENT")
    invitation = Invitation(
        event_id=event.event_id, sequence=event.sequence, method="request", changed_at=event.changed_at,
        starts_at=event.starts_at, ends_at=event.ends_at, summary=text, description=text, location=text,
        organizer_name="Rosa", organizer_address="rosa@example.com", attendee_name="Ada",
        attendee_address="ada@example.com", base_host=HOST,
    )  # fmt: skip
    (wanted,) = Calendar.from_ical(invitation_file(invitation).content).walk("VEVENT")
    for name in ("UID", "SEQUENCE", "DTSTAMP", "DTSTART", "DTEND", "STATUS", "SUMMARY", "DESCRIPTION", "LOCATION"):
        assert read.decoded(name) == wanted.decoded(name), name
    assert not {"ATTENDEE", "ORGANIZER"} & set(read)


@pytest.mark.parametrize("text", TEXTS)
def test_name_of_a_feed_is_escaped(text: str) -> None:
    content = feed_file(text, [], HOST)
    lines = content.replace(b"\r\n ", b"").decode().split("\r\n")
    assert [line.partition(":")[0] for line in lines if line] == [
        "BEGIN", "VERSION", "PRODID", "CALSCALE", "NAME", "X-WR-CALNAME", "REFRESH-INTERVAL;VALUE=DURATION",
        "X-PUBLISHED-TTL", "END",
    ]  # fmt: skip
    assert lines[4].removeprefix("NAME:") == lines[5].removeprefix("X-WR-CALNAME:")
