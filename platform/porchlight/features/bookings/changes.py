"""A decided change of bookings: what app.apply_bookings writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from porchlight.features.bookings.emails.routing import RoutedEmail
from porchlight.features.bookings.facts import SessionSnapshot, WaitingStatus
from porchlight.features.bookings.payments.changes import PaymentChange
from porchlight.features.bookings.states import Actor, Status

EMAIL_RETRY = timedelta(minutes=1)  # the job that sends an email at once may be lost


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHold:
    """A hold to insert. Name, price, place and terms are those of the service, or of the hold `like`."""

    id: UUID
    appointment_id: UUID
    person_id: UUID | None
    party: int
    expires_at: datetime
    token: bytes | None = None
    address: bytes | None = None
    customer_token: UUID | None = None
    client_id: UUID | None = None
    like: UUID | None = None
    email: RoutedEmail | None = None

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        hold = {
            "id": self.id, "appointment_id": self.appointment_id, "person_id": self.person_id, "party": self.party,
            "expires_at": self.expires_at, "hold_hash": _bytes(self.token), "address_hash": _bytes(self.address),
            "customer_token": self.customer_token, "client_id": self.client_id,
        }  # fmt: skip
        return {"hold": hold, "like": self.like} | _email(self.email)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingUpdate:
    """New values of columns of a booking whose status was `was`, with its entry in the history and its emails."""

    id: UUID
    was: Status
    values: Mapping[str, Any]
    event: str = ""
    actor: Actor = Actor.SYSTEM
    details: Mapping[str, Any] = field(default_factory=dict)
    email: RoutedEmail | None = None

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        values = {name: _bytes(value) if isinstance(value, bytes) else value for name, value in self.values.items()}
        made: dict[str, Any] = {"id": self.id, "was": self.was, "values": values}
        if self.event:
            made |= {"event": self.event, "actor": self.actor, "details": self.details}
        return made | _email(self.email)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitlistUpdate:
    """A new status of a place on a waitlist. `is_notified`: an email says that the guru canceled the session."""

    appointment_id: UUID
    number: int
    status: WaitingStatus
    is_notified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The user's new place on a waitlist."""

    appointment_id: UUID
    number: int
    party: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrant:
    """A package to give to the person of a booking. Names are those of the package, the service and the booking."""

    id: UUID
    package_id: UUID
    booking_id: UUID
    granted: int
    expires_at: datetime
    idempotency_key: str
    digest: bytes

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        details = {"sessions": self.granted, "until": self.expires_at}
        return {"grant": asdict(self) | {"digest": _bytes(self.digest)}, "event": "granted", "details": details}


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantUpdate:
    """New values of columns of a person's package, with the entry in its history."""

    id: UUID
    values: Mapping[str, Any]
    event: str
    details: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        """Return the form of app.apply_bookings."""
        return asdict(self)


@dataclass(slots=True)
class Change:
    """Everything that one decision writes, in this order, all or nothing."""

    ended: list[UUID] = field(default_factory=list)
    # With the start by the clocks of the zone.
    sessions: list[tuple[SessionSnapshot, datetime]] = field(default_factory=list)
    capacities: dict[UUID, int] = field(default_factory=dict)
    joined: list[Joined] = field(default_factory=list)
    bookings: list[NewHold | BookingUpdate] = field(default_factory=list)
    waitlist: list[WaitlistUpdate] = field(default_factory=list)
    packages: list[NewGrant | GrantUpdate] = field(default_factory=list)
    payments: list[PaymentChange] = field(default_factory=list)

    def copy(self) -> Change:
        """Return a change with the same parts."""
        return Change(
            list(self.ended),
            list(self.sessions),
            dict(self.capacities),
            list(self.joined),
            list(self.bookings),
            list(self.waitlist),
            list(self.packages),
            list(self.payments),
        )

    @property
    def updates(self) -> list[BookingUpdate]:
        """The changes of bookings that were there before."""
        return [one for one in self.bookings if isinstance(one, BookingUpdate)]

    def __bool__(self) -> bool:
        return any(getattr(self, part.name) for part in fields(self))

    def json(
        self,
        now: datetime,
        *,
        version: int | None = None,
        token: bytes | None = None,
        address: bytes | None = None,
        claimed: UUID | None = None,
        returned: UUID | None = None,
    ) -> dict[str, Any]:
        """Return the form of app.apply_bookings.

        `token` and `address` prove the right to change holds, and `claimed`, the token of a customer's link, the right
        to claim their bookings.

        `version` is that of the calendar, if its facts were read without a lock.
        """
        parts: dict[str, Any] = {
            "ended": self.ended,
            "sessions": [_session(session, local_start) for session, local_start in self.sessions],
            "capacities": [{"id": id_, "capacity": capacity} for id_, capacity in self.capacities.items()],
            "joined": [asdict(one) for one in self.joined],
            "bookings": [one.json() for one in self.bookings],
            "waitlist": [asdict(one) for one in self.waitlist],
            "packages": [one.json() for one in self.packages],
            "payments": [one.json() for one in self.payments],
            "returned": returned,
            "token": token.hex() if token else None,
            "address": address.hex() if address else None,
            "claimed": claimed,
        }
        always = {"emails_due_at": now + EMAIL_RETRY} | ({} if version is None else {"version": version})
        return {name: part for name, part in parts.items() if part} | always


def _session(session: SessionSnapshot, local_start: datetime) -> dict[str, Any]:
    names = ("id", "service_id", "starts_at", "ends_at", "zone", "blocked_from", "blocked_until", "capacity")
    return {name: getattr(session, name) for name in names} | {"local_start": local_start}


def _email(email: RoutedEmail | None) -> dict[str, Any]:
    if email is None:
        return {}
    return {"email": {"kind": email.kind, "sides": email.sides, "sequence": email.sequence}}


def _bytes(value: bytes | None) -> str | None:
    """Return bytes in the form that PostgreSQL reads."""
    return None if value is None else f"\\x{value.hex()}"
