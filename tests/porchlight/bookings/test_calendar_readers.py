"""Calendar files, read back by the libraries of real calendars: icalendar, vobject, ical.js and node-ical."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.invitations import invitation_file
from porchlight.features.bookings.feeds.feed_file import FeedEvent, feed_file
from tests.porchlight.bookings.calendar_readers import read_alike, read_with_all
from tests.porchlight.bookings.invitations import BOOKING_ID, create_invitation

ZONE = timezone(timedelta(hours=-7))
EXPECTED = {
    "method": "REQUEST",
    "uid": f"{BOOKING_ID}@porchlight.example",
    "sequence": 0,
    "status": "CONFIRMED",
    "dtstamp": "2026-11-23T10:30:15.000Z",
    "dtstart": "2026-12-01T16:00:00.000Z",
    "dtend": "2026-12-01T17:00:00.000Z",
    "summary": "One-on-One Consultation with Chef Rosa",
    "description": "Bring an apron.\nSee you then.",
    "location": "12 Elm Street, Denver",
    "organizer": {"address": "mailto:notices@porchlight.example", "name": "Chef Rosa", "answer": "", "rsvp": ""},
    "attendees": [
        {"address": "mailto:ada@example.com", "name": "Ada Alvarez", "answer": "ACCEPTED", "rsvp": "FALSE"},
    ],
}  # fmt: skip
# Winter, summer, and the nights on which the clock of Denver changes: over the skipped hour, and both times at 1:30.
INSTANTS = {
    "winter": ("2027-01-15T16:00:00.000Z", "2027-01-15T17:00:00.000Z"),
    "summer": ("2027-07-15T15:00:00.000Z", "2027-07-15T16:00:00.000Z"),
    "before the skipped hour": ("2027-03-14T08:30:00.000Z", "2027-03-14T09:30:00.000Z"),
    "after the skipped hour": ("2027-03-14T09:00:00.000Z", "2027-03-14T10:00:00.000Z"),
    "first 1:30": ("2027-11-07T07:30:00.000Z", "2027-11-07T08:00:00.000Z"),
    "second 1:30": ("2027-11-07T08:30:00.000Z", "2027-11-07T09:00:00.000Z"),
    "over the year's end": ("2027-12-31T23:30:00.000Z", "2028-01-01T00:30:00.000Z"),
}
READERS = ("icalendar", "icaljs", "nodeical", "vobject")
# Texts that a line break, an escape or a fold at the wrong place would change, as people write them.
TEXTS = [
    "Sourdough, rye; and spelt: “the basics” — part 1/2",
    "王小明的太極拳課" * 20,
    "🍞👩‍🍳🇨🇭" * 30,
    "Ünïcödé " + "é" * 200,
    "x" * 300,
    "https://meet.example/room?a=1&b=2,3;c=%20#top",
    "Ring #3\n\nGate code: 12*34\nMAILTO:eve@evil.example\nEND:VEVENT\nBEGIN:VALARM",
    "שלום עולם \u200fمرحبا",
    'He said "hi" \\ C:\\temp',
]
NAMES = [
    'Zoë "Chef" O\'Neil, Jr.',
    "Ng; Ada",
    "王小明" * 25,
    "🍞 Bakery: Denver=Boulder",
    "José María " * 12,
    "<b>Rosa</b>",
]


def test_every_reader_reads_the_same_event() -> None:
    moved = {"sequence": 7, "starts_at": datetime(2026, 12, 3, 23, 30, tzinfo=UTC)}
    cases: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "booked": ({}, {}),
        "moved": (
            moved | {"ends_at": datetime(2026, 12, 4, 0, 30, tzinfo=UTC)},
            {"sequence": 7, "dtstart": "2026-12-03T23:30:00.000Z", "dtend": "2026-12-04T00:30:00.000Z"},
        ),
        "canceled": (
            {"method": "cancel", "sequence": 8},
            {"method": "CANCEL", "status": "CANCELLED", "sequence": 8},
        ),
        "in another zone": (
            {"starts_at": datetime(2026, 12, 1, 9, tzinfo=ZONE), "ends_at": datetime(2026, 12, 1, 10, tzinfo=ZONE)},
            {},
        ),
    }
    read = read_with_all(
        {name: invitation_file(create_invitation(**given)).content for name, (given, _) in cases.items()}
    )
    for name, (_, differs) in cases.items():
        assert read[name] == {reader: [EXPECTED | differs] for reader in read[name]}, name


def test_every_reader_reads_instants_of_invitations_and_feeds() -> None:
    files: dict[str, bytes] = {}
    for name, times in INSTANTS.items():
        start, end = (datetime.fromisoformat(time).astimezone(ZoneInfo("America/Denver")) for time in times)
        files[f"invitation, {name}"] = invitation_file(create_invitation(starts_at=start, ends_at=end)).content
        feed = FeedEvent(
            UUID(int=1), 0, start, start, end, "Lesson", "Bring an apron.", "12 Oak St", "https://x.example"
        )
        files[f"feed, {name}"] = feed_file("Sessions", [feed], "porchlight.example")
    for name, by_reader in read_with_all(files).items():
        found = {reader: [(one["dtstart"], one["dtend"]) for one in events] for reader, events in by_reader.items()}
        assert found == {reader: [INSTANTS[name.partition(", ")[2]]] for reader in READERS}, name


def test_every_reader_reads_a_whole_feed_alike() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=UTC)
    events = [
        FeedEvent(
            UUID(int=number), number, start, start + timedelta(hours=number), start + timedelta(hours=number + 1),
            f"{text[:60]} {number}", text, text, "https://porchlight.example/sessions/1",
        )
        for number, text in enumerate(text for text in TEXTS if "\\" not in text)
    ]  # fmt: skip
    read = read_alike(feed_file("Sessions, and “more”", events, "porchlight.example"))
    assert [(one["uid"], one["sequence"]) for one in read] == [
        (f"{event.event_id}@porchlight.example", event.sequence) for event in events
    ]
    assert [one["description"] for one in read] == [event.description for event in events]


def test_every_reader_reads_texts_as_they_were_written() -> None:
    files = {
        text: invitation_file(
            create_invitation(summary=text.replace("\n", " "), description=text, location=text)
        ).content
        for text in TEXTS
    }
    for text, by_reader in read_with_all(files).items():
        line = " ".join(text.split())
        for reader, (event,) in by_reader.items():
            if reader == "nodeical" and "\\" in text:
                continue  # reads an escaped backslash before a letter as an escape: findings/node-ical-quoted-names.sh
            found = (event["summary"], event["description"], event["location"])
            assert found == (line, text, line), reader
    for content in files.values():
        for physical_line in content.split(b"\r\n"):
            assert len(physical_line) <= 75  # octets (RFC 5545, section 3.1)
            physical_line.decode()  # no fold inside a character


def test_every_reader_reads_names_of_people() -> None:
    files = {
        name: invitation_file(create_invitation(organizer_name=name, attendee_name=name)).content for name in NAMES
    }
    for name, by_reader in read_with_all(files).items():
        shown = " ".join(name.split()).replace('"', "'").replace(";", ",")
        for reader, (event,) in by_reader.items():
            found = [event["organizer"]["name"], *(one["name"] for one in event["attendees"])]
            assert found == [shown, shown], reader
