"""Bookings, sessions and facts as plain values, for tests of decisions that need no database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from porchlight.features.bookings.changes import BookingUpdate, NewHold
from porchlight.features.bookings.commands import Booked, Move, WantedSeats
from porchlight.features.bookings.facts import (
    BookingSnapshot,
    CalendarSnapshot,
    Facts,
    ServiceSnapshot,
    SessionSnapshot,
    WaitingPerson,
)
from porchlight.features.bookings.lifecycle import Decision
from porchlight.features.bookings.states import OCCUPYING, OPEN, Status
from porchlight.features.bookings.terms import terms_at

NOW = datetime(2027, 3, 10, 18, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
ZONE = "America/Denver"
PERSON, OTHER = UUID(int=1), UUID(int=2)
SERVICE, SESSION, BOOKING = UUID(int=10), UUID(int=20), UUID(int=30)
TERMS = {
    "policy": "own", "free_until_minutes": 1440, "late_percent": 50, "missed_percent": 100, "moves_max": 2,
    "move_until_minutes": 60,
}  # fmt: skip
CALENDAR = CalendarSnapshot(rules_version=7, zone=ZONE, notice_minutes=60)
AHEAD, OVER, LONG_OVER = NOW + 30 * HOUR, NOW - 2 * HOUR, NOW - 30 * HOUR
LATER = NOW + 54 * HOUR
BOOKED = Booked(key="key", digest=b"digest", name="Ada Neighbor")
BOTH, TO_PERSON, TO_GURU = ("person", "guru"), ("person",), ("guru",)
PROPOSAL: dict[str, Any] = {"proposed_start": LATER, "proposed_until": NOW + HOUR, "proposals": 1}


def service(**values: Any) -> ServiceSnapshot:
    """Return a service of an hour for three people."""
    own: dict[str, Any] = {"id": SERVICE, "minutes": 60, "capacity": 3, "party_max": 3}
    return ServiceSnapshot(**own | values)


def session(starts_at: datetime = NOW + 30 * HOUR, **values: Any) -> SessionSnapshot:
    """Return a session of the service."""
    times: dict[str, Any] = {
        "starts_at": starts_at, "ends_at": starts_at + HOUR, "zone": ZONE, "blocked_from": starts_at,
        "blocked_until": starts_at + HOUR,
    }  # fmt: skip
    times |= {"id": SESSION, "service_id": SERVICE, "capacity": 3}
    return SessionSnapshot(**times | values)


def booking(status: Status = Status.CONFIRMED, starts_at: datetime = NOW + 30 * HOUR, **values: Any) -> BookingSnapshot:
    """Return a booking of the person, in the session."""
    until = NOW + HOUR if status in (Status.HELD, Status.REQUESTED) else None
    own: dict[str, Any] = {
        "id": BOOKING, "appointment_id": SESSION, "service_id": SERVICE, "person_id": PERSON, "status": status,
        "party": 1, "starts_at": starts_at, "ends_at": starts_at + HOUR, "zone": ZONE, "price_cents": 4501,
        "approval": "instant", "place": "online", "terms": TERMS, "terms_digest": "ab", "expires_at": until,
    }  # fmt: skip
    return BookingSnapshot(**own | values)


def facts(*bookings: BookingSnapshot, waitlist: tuple[WaitingPerson, ...] = (), **values: Any) -> Facts:
    """Return the facts about bookings of one session, whose seats they take. The person acts."""
    starts_at = bookings[0].starts_at if bookings else NOW + 30 * HOUR
    taken = sum(one.party for one in bookings if one.status in OCCUPYING)
    seated = {one.person_id for one in bookings if one.status in OPEN and one.person_id is not None}
    found = session(starts_at, taken=taken, live=taken > 0, waitlist=waitlist, seated=frozenset(seated))
    own: dict[str, Any] = {
        "now": NOW, "user_id": PERSON, "calendar": CALENDAR, "bookings": bookings, "sessions": [found],
        "services": [service()],
    }  # fmt: skip
    return Facts(**own | values)


def wanted(starts_at: datetime, **values: Any) -> WantedSeats:
    """Return seats of the service at a start, by the rules of now."""
    day = (starts_at - 7 * HOUR).replace(hour=7, minute=0)
    own: dict[str, Any] = {
        "service_id": SERVICE, "starts_at": starts_at, "local_start": starts_at.replace(tzinfo=None),
        "day": (day, day + 24 * HOUR), "rules_version": CALENDAR.rules_version,
    }  # fmt: skip
    return WantedSeats(**own | values)


def waiting(number: int, party: int = 1, **values: Any) -> WaitingPerson:
    """Return a person who waits for the session."""
    own: dict[str, Any] = {"person_id": UUID(int=100 + number), "status": "waiting"}
    return WaitingPerson(number=number, party=party, **own | values)


def with_session(found: Facts, **values: Any) -> Facts:
    """Return facts whose first session has other values."""
    first, *others = found.sessions
    return replace(found, sessions=[replace(first, **values), *others])


def digest(one: BookingSnapshot) -> str:
    """Return the digest of the terms that a person sees now."""
    return terms_at(one, NOW).digest


def move(one: BookingSnapshot, **values: Any) -> Move:
    """Return the command that moves a booking to `LATER`."""
    own: dict[str, Any] = {"first_id": BOOKING, "wanted": {BOOKING: wanted(LATER)}, "terms_digest": digest(one)}
    return Move(**own | values)


def only(decision: Decision) -> BookingUpdate:
    """Return the one booking that a decision changes."""
    (update,) = decision.change.updates
    return update


def email(update: BookingUpdate | NewHold) -> tuple[str, tuple[str, ...]] | None:
    """Return the email of a change and the sides that it goes to, or None."""
    return (str(update.email.kind), update.email.sides) if update.email else None
