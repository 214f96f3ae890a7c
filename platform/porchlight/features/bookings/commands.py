"""The commands that change bookings. `lifecycle.decide` decides on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.passes.signed_pass import Pass
from porchlight.features.bookings.payments.changes import RefundReason
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.terms import AnyBooking
from porchlight.money.fees import Fees
from sites.hours.questions import QuestionAnswer
from tenants.kit.ids import new_id


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSeats:
    """Seats of a service at a start. `local_start` is the start by the clocks of the calendar's zone, `day` its day.

    `rules_version`: the version of the rules by which the start is offered, -1 if it is not. `session_id` and
    `booking_id` are of a session and a hold that are new.
    """

    service_id: UUID
    starts_at: datetime
    local_start: datetime
    day: tuple[datetime, datetime]
    rules_version: int
    session_id: UUID = field(default_factory=new_id)
    booking_id: UUID = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldSeats:
    """Keep seats for ten minutes, for the user or a visitor. The same token again is a resend."""

    id: UUID
    seats: WantedSeats
    party: int
    token: bytes
    address: bytes
    max_of_visitors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Give up a hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """How the user books: names and words, and the place and zone that they gave.

    `answers` are those to the questions of the hold, as they are kept.
    """

    key: str
    digest: bytes
    name: str
    participants: Sequence[str] = ()
    note: str = ""
    address: str = ""
    zone: str = ""
    answers: Sequence[QuestionAnswer] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPackage:
    """The package to use, and how many of its sessions the person saw that it covers."""

    id: UUID
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPayment:
    """How a payment by card begins: the guru's plan and the fees, what the payer reads, and where they return.

    `email` is the payer's, for Stripe's page and receipt.
    """

    plan: str
    fees: Fees
    title: str
    email: str
    return_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """Book a hold, with further starts as a series, or ask the guru for them. `policy`: the terms that the user saw.

    `needs_waiver`: whether one is needed by the rules with `rules_version`. `package`: None to pay for all sessions.
    `payment`: None if cards cannot be charged now; a service that is paid when it is booked needs it.
    """

    booked: Booked
    policy: str
    rules_version: int
    needs_waiver: bool = False
    further: Sequence[WantedSeats] = ()
    package: WantedPackage | None = None
    payment: WantedPayment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayAgain:
    """Open another page to pay for a held booking, after the former one could not be opened.

    Or open one to pay what the user owes of a booking that has ended, after the bank did not pay it.
    """

    id: UUID
    payment: WantedPayment


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUpPayment:
    """Give up a held booking instead of paying for it, with those that are paid together with it."""

    id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmPayments:
    """Book what was paid together, or return the money where the seats are gone. Ids are of objects at Stripe.

    `payments` are as they were read before the calendar was locked. `checked_at`: when the objects were fetched.
    """

    payments: Sequence[PaymentSnapshot]
    intent_id: str
    charge_id: str
    card_brand: str
    card_last4: str
    checked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepCards:
    """Book what a card is kept for, or let go of the card where the seats are gone. Ids are of objects at Stripe.

    `payments` are as they were read before the calendar was locked. `checked_at`: when the objects were fetched.
    """

    payments: Sequence[PaymentSnapshot]
    customer_id: str
    method_id: str
    card_brand: str
    card_last4: str
    checked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPayments:
    """End payments that will not come. If Stripe's page has closed (`expired`), their seats are free.

    `unpaid`: the bank did not pay what the person owes.
    """

    payments: Sequence[PaymentSnapshot]
    state: Literal["expired", "failed", "unpaid"]
    error_code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundPayment:
    """Return a part of a payment: a guru (`goodwill`) or staff (`support`) want to, or staff send a failed one again.

    `payment` is as it was read before the calendar was locked. `kept_cents`: what is left of it as they saw it, None
    for one that is sent again. `words` are theirs to the person.
    """

    payment: PaymentSnapshot
    amount_cents: int
    actor: Actor
    reason: RefundReason = "goodwill"
    kept_cents: int | None = None
    words: str = ""
    again_of: UUID | None = None
    key: str = ""
    digest: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnUnowed:
    """Return what people paid for bookings that ended while their bank decided on the payment, and do not owe."""

    booking_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookCustomer:
    """Book a session for a customer without an account, who has called or come by.

    With `package`, the customer is the one who has it; `is_seated` tells whether they have a spot in the session.
    `client_id` joins the booking with earlier ones of the same customer; None for a new one.
    """

    id: UUID
    seats: WantedSeats
    person_id: UUID
    token: UUID
    party: int
    email: str
    booked: Booked
    over_capacity: bool
    recent: int
    recent_of_address: int
    package: WantedPackage | None = None
    is_seated: bool = False
    client_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimBookings:
    """Give the booking `id` of a customer to the user, and others (`ids`) of the same customer or address.

    `name`: that of the account, for the guru.
    """

    id: UUID
    ids: Sequence[UUID]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantPackage:
    """Give a package to the person of a booking. `of_person` and `recent`: those that count against the limits."""

    id: UUID
    package_id: UUID
    booking_id: UUID
    sessions: int
    expires_at: datetime
    key: str
    digest: bytes
    of_person: int
    recent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverBooking:
    """Use a package for a booking that is confirmed already, as its guru."""

    id: UUID
    package: WantedPackage


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendPackage:
    """Let a person use their package for longer."""

    id: UUID
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackSessions:
    """Take back sessions of a package that are not used. `left_over` are those that the guru saw."""

    id: UUID
    sessions: int
    left_over: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expire:
    """End what is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    """Complete the bookings whose sessions are over for a day."""

    ids: Sequence[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """Accept or decline a request, or all open ones of its series."""

    id: UUID
    accept: bool
    whole_series: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Cancel a booking; with `following`, also those of its series after it. A guru declines requests.

    `terms_digest`: the terms that the person saw. With `proposed_start`, they answer the guru's proposal of that start,
    which is free; `following` then means all open proposals of the series.
    """

    id: UUID
    actor: Actor
    following: bool = False
    reason: str = ""
    terms_digest: str = ""
    proposed_start: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineInvitation:
    """Answer "No" to an invitation in a calendar program. `sequence`: of the invitation; `comment`: what they wrote.

    Without `is_verified`, nothing proves that the answer comes from that side, so it cancels nothing.
    """

    id: UUID
    actor: Actor
    sequence: int
    is_verified: bool
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelSession:
    """Cancel a session with all its bookings."""

    session_id: UUID
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSession:
    """End a session that no one has booked."""

    session_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAttendance:
    """Record that a person missed a session, or attended after all."""

    id: UUID
    missed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIn:
    """Record that the people of a booking came, at a time by the clock of the guru's device. `by`: the device's name.

    `shown` is the pass that they showed; None if the guru found their name or code. `accepts_waiver_due`: the guru has
    seen that the session needs a waiver that is missing.
    """

    id: UUID
    at: datetime
    by: str
    shown: Pass | None = None
    accepts_waiver_due: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoCheckIn:
    """Take back a check-in, if it is still the one of the time `at`."""

    id: UUID
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Move bookings, all or none. In the order of `wanted`, each frees the time of the next.

    The person moves them on the terms that they saw (`terms_digest`), with `following` on those of the rest of a series
    from the booking `first_id` on. Without `is_counted`, they accept the starts that the guru proposed.
    """

    first_id: UUID
    wanted: Mapping[UUID, WantedSeats]
    following: bool = False
    terms_digest: str = ""
    is_counted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """Propose other starts to the persons, for bookings that are as the guru saw them."""

    starts: Sequence[tuple[AnyBooking, datetime]]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndProposal:
    """Withdraw the guru's open proposal, or all of its series; or end one whose time was taken when it was accepted."""

    id: UUID
    whole_series: bool = False
    lapsed_start: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePlace:
    """Change the place of a session for everyone who has booked it."""

    session_id: UUID
    place: str
    place_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeAddress:
    """Correct the address of the person, at whose place the session is."""

    id: UUID
    address: str
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeAnswers:
    """Answer the guru's questions again. `changes`: how often the person has done so."""

    id: UUID
    answers: Sequence[QuestionAnswer]
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowClocks:
    """Move the bookings of a session to its new instant, after the rules of its zone have changed."""

    session_id: UUID
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinWaitlist:
    """Wait for seats of a full session. `waits_for`: for how many sessions the user waits already."""

    service_id: UUID
    starts_at: datetime
    party: int
    waits_for: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveWaitlist:
    """Leave a waitlist, and give up what was offered."""

    session_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOffer:
    """Give the hold that was offered to the user a token, by which they book it."""

    session_id: UUID
    token: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Erase:
    """End everything that the user has open, because they delete their account."""


Command = (
    HoldSeats | Release | Book | BookCustomer | ClaimBookings | Expire | Complete | AnswerRequest | Cancel
    | CancelSession | EndSession | DeclineInvitation | RecordAttendance | CheckIn | UndoCheckIn | Move | Propose
    | EndProposal | ChangePlace | ChangeAddress | ChangeAnswers | FollowClocks | JoinWaitlist | LeaveWaitlist
    | OpenOffer | GrantPackage | CoverBooking | ExtendPackage | TakeBackSessions | PayAgain | GiveUpPayment
    | ConfirmPayments | KeepCards | EndPayments | RefundPayment | ReturnUnowed | Erase
)  # fmt: skip
