"""The events of a feed, from rows of bookings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from porchlight.features.bookings.calendar_events import PLACES
from porchlight.features.bookings.feeds.feed_file import FeedEvent


class PersonalSession(NamedTuple):
    """A session that the feed's user has booked."""

    id: UUID
    sequence: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    service_name: str
    guru_name: str
    person_name: str
    place: str
    place_text: str
    person_address: str
    bring: str


class GuruBooking(NamedTuple):
    """A confirmed booking of the feed's guru, with its session. A class has several with the same `appointment_id`."""

    id: UUID
    appointment_id: UUID
    capacity: int
    party: int
    sequence: int
    session_sequence: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime
    service_name: str
    guru_name: str
    person_name: str
    place: str
    place_text: str
    person_address: str


def personal_events(sessions: Iterable[PersonalSession], main_origin: str) -> list[FeedEvent]:
    """Return the events of the sessions that someone has booked, with the ids of their invitations."""
    events = []
    for one in sessions:
        url = f"{main_origin}/sessions/{one.id}"
        bring = f"Bring: {one.bring}\n\n" if one.bring else ""
        events.append(
            FeedEvent(
                one.id,
                one.sequence,
                one.changed_at,
                one.starts_at,
                one.ends_at,
                f"{one.service_name} with {one.guru_name}",
                f"{bring}To move or cancel this session, open it on Porchlight: {url}",
                _place(one, one.person_name or "you"),
                url,
            )
        )
    return events


def guru_events(bookings: Sequence[GuruBooking], main_origin: str) -> list[FeedEvent]:
    """Return the events of a guru's sessions, with the ids of their invitations. People have first name and initial.

    The bookings of one session follow each other. A feed's address may be shared by mistake, so it has no notes, no
    addresses of email and no full names.
    """
    events = []
    for appointment_id, found in groupby(bookings, lambda one: one.appointment_id):
        people = list(found)
        first = people[0]
        url = f"{main_origin}/guru/calendar?booking={first.id}"
        names = [_short_name(one.person_name) for one in people]
        is_class = first.capacity > 1
        seats = sum(one.party for one in people)
        listed = "\n".join([*names, "", ""]) if is_class else ""
        events.append(
            FeedEvent(
                appointment_id if is_class else first.id,
                first.session_sequence if is_class else first.sequence,
                max(one.changed_at for one in people),
                first.starts_at,
                first.ends_at,
                f"{first.service_name}: {seats} of {first.capacity} spots booked"
                if is_class
                else f"{first.service_name} with {names[0]}",
                f"{listed}To cancel or ask to move, open your calendar on Porchlight: {url}",
                _place(first, names[0]),
                url,
            )
        )
    return events


def _place(session: PersonalSession | GuruBooking, person: str) -> str:
    """Return the address or link of a session, else what kind of place it is."""
    known = session.person_address if session.place == "person" else session.place_text
    return known or PLACES[session.place].format_map({"guru": session.guru_name, "person": person})


def _short_name(name: str) -> str:
    """Return the first name and the initial of the last one, such as "Maya C."."""
    words = name.split()
    if not words:
        return "A neighbor"
    return words[0] if len(words) == 1 else f"{words[0]} {words[-1][0]}."
