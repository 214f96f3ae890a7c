"""The facts on which a change of bookings is decided: the answer of app.booking_facts, as plain values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_type_hints
from uuid import UUID

from porchlight.features.bookings.states import OCCUPYING, Status

T = TypeVar("T")
# Everything by card when it is booked, a part of it, or nothing: the card is kept and charged what the person owes.
PaymentMode = Literal["full", "deposit", "hold"]
WaitingStatus = Literal["waiting", "offered", "taken", "lapsed", "left"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentSnapshot:
    """The latest payment of a booking. `number` counts them. Amounts are in cents, `fee_bps` in 1/100 of a percent.

    `disputed_cents` are what the person's bank has taken back, `disputed_fee_cents` of it from the platform's fee.
    The amount of a card that is kept (`hold`) is the most that can be charged, and from then on what is charged.
    A payment for a package has no booking; `used_cents` of it were for sessions that took place.
    """

    id: UUID
    booking_id: UUID | None
    group_id: UUID
    number: int
    state: str
    amount_cents: int
    fee_cents: int
    fee_bps: int
    fee_minimum_cents: int
    mode: PaymentMode = "full"
    refunded_cents: int = 0
    fee_returned_cents: int = 0
    disputed_cents: int = 0
    disputed_fee_cents: int = 0
    is_disputed: bool = False
    is_delivered: bool = False
    purpose: str = "session"
    used_cents: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the person may be paying now."""
        return self.state in ("opening", "open")

    @property
    def kept_cents(self) -> int:
        """The amount that was paid, not returned, not taken back by the bank and not used by sessions, in cents."""
        kept = self.amount_cents - self.refunded_cents - self.disputed_cents - self.used_cents
        return max(kept, 0) if self.state == "paid" else 0

    @property
    def fee_left_cents(self) -> int:
        """The platform's part of what is kept, in cents."""
        return max(self.fee_cents - self.fee_returned_cents - self.disputed_fee_cents, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingSnapshot:
    """A booking, as far as decisions need it. `is_offer`: a hold that was offered to someone who waits.

    `is_token`: the hold that the command names by its token. `is_key`: the user's booking under the idempotency key.
    `grant_id` is the package that it uses or used, `package_sessions` how many sessions of it, 0 once they were
    returned. `is_sent`: the person has entered what the booking needs; a hold of that kind waits for its payment.
    """

    id: UUID
    appointment_id: UUID
    service_id: UUID
    person_id: UUID | None
    status: Status
    party: int
    starts_at: datetime
    ends_at: datetime
    zone: str
    price_cents: int
    currency: str = "USD"
    approval: str
    place: str
    place_text: str = ""
    person_address: str = ""
    terms: Mapping[str, Any]
    terms_digest: str = ""
    waiver_level: str = ""
    waiver_until: datetime | None = None
    sequence: int = 0
    moves: int = 0
    late_since: datetime | None = None
    series_id: UUID | None = None
    proposed_start: datetime | None = None
    proposed_until: datetime | None = None
    proposals: int = 0
    expires_at: datetime | None = None
    ended_by: str = ""
    owed_cents: int = 0
    checked_in_at: datetime | None = None
    checked_in_by: str = ""
    is_customer: bool = False
    is_offer: bool = False
    is_token: bool = False
    is_key: bool = False
    is_sent: bool = False
    digest: str | None = None
    grant_id: UUID | None = None
    package_sessions: int = 0
    payment: PaymentSnapshot | None = None

    @property
    def occupies_seats(self) -> bool:
        """Whether the booking occupies its seats."""
        return self.status in OCCUPYING


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantSnapshot:
    """A package of a person. `left_over` sessions can be booked, if they start before `expires_at`.

    `payment` is that of a package that was bought. The money for `settled` of its sessions is the guru's or went back.
    """

    id: UUID
    service_id: UUID
    person_id: UUID
    name: str
    granted: int
    left_over: int
    taken_back: int = 0
    expires_at: datetime
    is_customer: bool = False
    settled: int = 0
    payment: PaymentSnapshot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPerson:
    """A person on the waitlist of a session. The lowest number is first."""

    number: int
    person_id: UUID
    party: int
    status: WaitingStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSnapshot:
    """A session or a blocked time of the guru. Between `blocked_from` and `blocked_until`, they are busy.

    `waitlist` has those who wait or have an offer. `seated` are the user and those who wait, if they have a hold, a
    request or a booking here.
    """

    id: UUID
    kind: str = "session"
    service_id: UUID | None
    starts_at: datetime
    ends_at: datetime
    zone: str
    blocked_from: datetime
    blocked_until: datetime
    capacity: int
    taken: int = 0
    fixed: bool = False
    live: bool = True
    place: str | None = None
    place_text: str | None = None
    waitlist: tuple[WaitingPerson, ...] = ()
    last_number: int | None = None
    seated: frozenset[UUID] = frozenset()

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.capacity - self.taken

    @property
    def waiting(self) -> list[WaitingPerson]:
        """Those who wait without an offer, the first one first."""
        return [one for one in self.waitlist if one.status == "waiting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSnapshot:
    """How a service is booked now. `over_limit`: the plan of the guru does not include it any more."""

    id: UUID
    minutes: int | None
    over_limit: bool = False
    open: bool = True
    approval: str = "instant"
    capacity: int = 1
    party_max: int = 1
    starts: str = "hours"
    place: str = "online"
    place_text: str = ""
    setup_minutes: int = 0
    cleanup_minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarSnapshot:
    """A guru's calendar. `takes_bookings`: the flag `booking`. `is_active`: the site is not suspended.

    `is_blocked`: the user and the guru do not meet any more, because one of them blocked the other.
    `version` changes with each change of the calendar and of its bookings.
    """

    version: int = 0
    rules_version: int
    zone: str
    notice_minutes: int
    day_max: int | None = None
    is_active: bool = True
    takes_bookings: bool = True
    is_blocked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverSnapshot:
    """A waiver of the user that has not been ended."""

    id: UUID
    level: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedHold:
    """An open hold of a visitor. `is_address`: of the network address that the command comes from."""

    id: UUID
    starts_at: datetime
    is_address: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldUsage:
    """Holds that count against limits. A user whose email address is not verified counts as a visitor.

    `own_recent` and `address_recent`: those of the last hour. `visitors`: those near the start that is wanted, the
    newest first.
    """

    is_verified: bool = True
    own_held: int = 0
    own_requested: int = 0
    own_recent: int = 0
    address_recent: int = 0
    address_held: int = 0
    visitors: tuple[CountedHold, ...] = ()

    def on(self, day: tuple[datetime, datetime]) -> list[CountedHold]:
        """Return the visitors' holds of a local day, between two instants."""
        return [one for one in self.visitors if day[0] <= one.starts_at < day[1]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts at one moment. `is_acting`: the guru acts, not the user. `busy`: times of the guru's busy sources."""

    now: datetime
    user_id: UUID | None = None
    is_acting: bool = False
    calendar: CalendarSnapshot | None
    bookings: Sequence[BookingSnapshot] = ()
    sessions: Sequence[SessionSnapshot] = ()
    busy: Sequence[tuple[datetime, datetime]] = ()
    services: Sequence[ServiceSnapshot] = ()
    grants: Sequence[GrantSnapshot] = ()
    waiver: WaiverSnapshot | None = None
    usage: HoldUsage = field(default_factory=HoldUsage)

    def service(self, service_id: UUID | None) -> ServiceSnapshot | None:
        """Return the settings of a service that has any."""
        return next((one for one in self.services if one.id == service_id), None)


def to_facts(found: Mapping[str, Any]) -> Facts:
    """Return the facts of the answer of app.booking_facts."""
    usage = found["usage"]
    more: dict[str, dict[str, Any]] = {row["id"]: row for row in found["uses"] or ()}
    for row in found["payments"] or ():
        more[row["booking_id"]] = more.get(row["booking_id"], {}) | {"payment": _made(PaymentSnapshot, row)}
    return Facts(
        now=datetime.fromisoformat(found["now"]),
        user_id=UUID(found["user_id"]) if found["user_id"] else None,
        is_acting=bool(found["is_acting"]),
        calendar=CalendarSnapshot(**found["calendar"]) if found["calendar"] else None,
        bookings=[_made(BookingSnapshot, row | more.get(row["id"], {})) for row in found["bookings"] or ()],
        sessions=[_session(row) for row in found["sessions"] or ()],
        busy=[(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in found["busy"] or ()],
        services=[_made(ServiceSnapshot, row) for row in found["services"] or ()],
        grants=[_grant(row) for row in found["grants"] or ()],
        waiver=_made(WaiverSnapshot, found["waiver"]) if found["waiver"] else None,
        usage=_usage(usage) if usage else HoldUsage(),
    )


def _grant(row: Mapping[str, Any]) -> GrantSnapshot:
    payment = _made(PaymentSnapshot, row["payment"]) if row["payment"] else None
    return _made(GrantSnapshot, {**row, "payment": payment})


def _session(row: Mapping[str, Any]) -> SessionSnapshot:
    values = dict(row)
    values["waitlist"] = tuple(_made(WaitingPerson, one) for one in row["waitlist"] or ())
    values["seated"] = frozenset(UUID(one) for one in row["seated"] or ())
    return _made(SessionSnapshot, values)


def _usage(answer: Mapping[str, Any]) -> HoldUsage:
    own, address = answer["own"], answer["of_address"]
    return HoldUsage(
        is_verified=answer["is_verified"],
        own_held=own["held"],
        own_requested=own["requested"],
        own_recent=own["recent"],
        address_recent=address["recent"],
        address_held=address["held"],
        visitors=tuple(_made(CountedHold, one) for one in answer["visitors"] or ()),
    )


def _made(kind: type[T], row: Mapping[str, Any]) -> T:
    """Return an object of a class from a row of JSON: texts become times, ids and states."""
    values = dict(row)
    for name, convert in _conversions(cast(Hashable, kind)):
        value = values.get(name)
        if value is not None and type(value) is str:
            values[name] = convert(value)
    for name in _flags(cast(Hashable, kind)):
        values[name] = bool(values[name])
    return kind(**values)


@cache
def _conversions(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields whose JSON is a text of something else, with its conversion."""
    converters = {datetime: datetime.fromisoformat, UUID: UUID, Status: Status}
    hints = get_type_hints(kind)
    found = []
    for one in fields(kind):
        for type_, convert in converters.items():
            if hints[one.name] in (type_, type_ | None):
                found.append((one.name, convert))
    return tuple(found)


@cache
def _flags(kind: Any) -> tuple[str, ...]:
    """Return the fields that are true or false; SQL's NULL is false."""
    hints = get_type_hints(kind)
    return tuple(one.name for one in fields(kind) if hints[one.name] is bool)
