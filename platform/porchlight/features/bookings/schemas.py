"""Request and response bodies of holds and bookings. Times are UTC, prices are cents for the whole party."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from porchlight.contracts import RiskLevel
from porchlight.features.bookings.guru_card import GuruCard
from sites.hours.questions import MAX_ANSWER_LENGTH, MAX_QUESTION_LENGTH, MAX_QUESTIONS, QuestionAnswer
from sites.hours.schemas import QuestionData
from tenants.kit.schemas import EMAIL, ONE_LINE, PRINTABLE, Payload, ResponseModel
from tenants.kit.zones import canonical_zone, zone_names

MAX_NAME_CHARACTERS, MAX_NOTE_CHARACTERS, MAX_ADDRESS_CHARACTERS = 80, 1000, 300
Id = Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARACTERS), ONE_LINE]
Note = Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS), PRINTABLE]
Address = Annotated[str, StringConstraints(max_length=MAX_ADDRESS_CHARACTERS), PRINTABLE]
Status = Literal["held", "requested", "confirmed", "declined", "canceled", "expired", "missed", "completed"]
Place = Literal["guru", "person", "online", "agreed"]
Approval = Literal["instant", "request"]
StartTime = Annotated[
    AwareDatetime,
    Field(
        strict=False,
        ge=datetime.fromisoformat("2000-01-01T00:00:00+00:00"),
        le=datetime.fromisoformat("2200-01-01T00:00:00+00:00"),
    ),
]


class HoldPayload(Payload):
    """A start of a service, and the number of seats."""

    service_id: Id
    starts_at: StartTime
    party: Annotated[int, Field(ge=1, le=10)] = 1


class SignerPayload(Payload):
    """The signer of a participant's waiver: the user (`self`), the user as a `guardian`, or someone with a `link`.

    A link can be emailed to `email`.
    """

    signer: Literal["self", "guardian", "link"]
    email: Annotated[str, StringConstraints(max_length=254), EMAIL] = ""


class UsedPackagePayload(Payload):
    """The package to use, and how many of its sessions the user saw that it covers."""

    id: Id
    sessions: Annotated[int, Field(ge=1, le=120)]


class QuestionAnswerPayload(Payload):
    """The answer to the question of the guru with this label."""

    question: Annotated[str, StringConstraints(max_length=MAX_QUESTION_LENGTH), ONE_LINE]
    answer: Annotated[str, StringConstraints(max_length=MAX_ANSWER_LENGTH), PRINTABLE]

    def kept(self) -> QuestionAnswer:
        """Return the answer as the rules read it."""
        return QuestionAnswer(self.question, self.answer)


Answers = Annotated[list[QuestionAnswerPayload], Field(max_length=MAX_QUESTIONS, default_factory=list)]


class BookingPayload(Payload):
    """The hold to book. `policy_digest` is that of the terms that the user saw, `zone` the IANA zone of their times.

    `signers` are those of the `participants`, in order, if the session needs a waiver. Everyone who comes is named
    then. `address` is needed for a session at the person's place, and ignored for others. `answers` are those to the
    questions of the hold. `package` is that of the hold.
    """

    hold: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]
    name: Name
    participants: Annotated[list[Name], Field(max_length=10, default_factory=list)]
    signers: Annotated[list[SignerPayload], Field(max_length=10, default_factory=list)]
    note: Note = ""
    address: Address = ""
    answers: Answers
    package: UsedPackagePayload | None = None
    policy_digest: Annotated[str, StringConstraints(max_length=64), ONE_LINE]
    zone: Annotated[str, StringConstraints(max_length=64), ONE_LINE] = ""

    @property
    def known_zone(self) -> str:
        """Return today's name of the zone, or "" for one that we don't know."""
        return canonical_zone(self.zone) if self.zone in zone_names() else ""


class CancellationPayload(Payload):
    """The digest of the terms that the user saw, and a reason for the guru."""

    terms_digest: Annotated[str, StringConstraints(max_length=64), ONE_LINE] = ""
    reason: Annotated[str, StringConstraints(max_length=500), PRINTABLE] = ""


class AddressPayload(Payload):
    """Where to meet, for a session at the user's place."""

    address: Address


class QuestionAnswersPayload(Payload):
    """Other answers to the questions that were asked when the session was booked."""

    answers: Answers


class AnswerData(ResponseModel):
    """The answer of the person to a question."""

    question: str
    answer: str


class PolicyData(ResponseModel):
    """The terms of payment, moves and cancellations, in minutes before the start and percent of the price.

    `payment`: in person, or by card when the session is booked: in full, `deposit_percent` of the price, or nothing
    (`hold`): the card is kept.
    """

    payment: Literal["in_person", "full", "deposit", "hold"] = "in_person"
    deposit_percent: int = 0
    policy: Literal["flexible", "moderate", "strict", "own"]
    free_until_minutes: int
    late_percent: int
    missed_percent: int
    moves_max: int
    move_until_minutes: int


class BookedSession(ResponseModel):
    """The session of a hold or a booking. `zone` is the guru's IANA zone, `bring` what people bring, "" for nothing.

    `questions` are those that the guru asks who books it.
    """

    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    party: int
    price_cents: int
    currency: str
    approval: Approval
    place: Place
    bring: str
    questions: list[QuestionData]
    policy: PolicyData
    policy_digest: str


class MinorWaiverData(ResponseModel):
    """A minor for whom the user has signed the waiver as guardian, and until when it is valid."""

    name: str
    valid_until: str


class WaiverNeedData(ResponseModel):
    """Whether the session needs a waiver, its risk level, and the reasons as sentences.

    `signed`: the guru requires a signed one. `category` is the guru's. `valid_until` is the end of the user's waiver
    for the service, null without a valid one. `outdated`: the user has one, but the guru changed their text since or
    now requires a signature. `minors`: those for whom the user has signed.
    """

    required: bool
    signed: bool
    level: RiskLevel
    reasons: list[str]
    category: str
    valid_until: str | None
    outdated: bool
    minors: list[MinorWaiverData]


class UsablePackageData(ResponseModel):
    """The user's package with which a session can be booked. It covers sessions up to the local day `last_day`."""

    id: str
    name: str
    granted: int
    left: int
    expires_at: str
    last_day: str


class UsedPackageData(ResponseModel):
    """The package that a booking uses, and how many sessions of it. They are 0 once the booking returned them."""

    id: str
    name: str
    sessions: int


class HoldData(BookedSession):
    """A hold. `expires_at` is null when it has ended; `seconds_left` needs no correct clock of the reader.

    `is_offer` tells that someone on a waitlist was offered it. `package` is one that covers it, null without one.
    `pays_by_card`: booking it without a package leads to Stripe's page, to pay `due_now_cents`, or to keep a card if
    that is 0. `booking_id` is set once the user has entered
    everything and has yet to pay.
    """

    guru: GuruCard
    token: str
    waiver: WaiverNeedData
    status: Status
    expires_at: str | None
    seconds_left: int
    is_offer: bool
    package: UsablePackageData | None
    pays_by_card: bool
    due_now_cents: int
    booking_id: str | None


class HoldResponse(ResponseModel):
    """A hold."""

    success: bool
    data: HoldData


class CreatedHoldData(ResponseModel):
    """A new hold. `overlaps`: the user has another booking at that time."""

    token: str
    expires_at: str
    overlaps: bool


class CreatedHoldResponse(ResponseModel):
    """A new hold."""

    success: bool
    data: CreatedHoldData


class CurrentTermsData(ResponseModel):
    """The terms that apply now: what a cancellation costs, and until when it is free and a move is possible.

    `lateCents` and `missedCents`: what a cancellation after `freeUntil` and a missed session cost.
    """

    owed_cents: int
    late_cents: int
    missed_cents: int
    free_until: str | None
    moves_left: int
    move_until: str | None
    digest: str


class MoveProposalData(ResponseModel):
    """Another start that the guru proposes, open until `answer_until`. Until then, a cancellation is free."""

    starts_at: str
    answer_until: str
    reason: str


class ParticipantData(ResponseModel):
    """A participant of a session that needs a waiver. `covered`: they have one that is valid when it starts.

    `signer`: the person who booked, for themselves or as the guardian, or someone with a personal `link`. `signed_by`:
    the typed name, "" before. `email`: where the link went, "" for the guru. `can_send`: the link can be emailed now.
    """

    number: int
    name: str
    signer: Literal["self", "guardian", "link"]
    covered: bool
    waiver_until: str | None
    signed_by: str
    email: str
    emailed_at: str | None
    can_send: bool


class PaymentData(ResponseModel):
    """The payment of a booking by card, in cents. `url` is Stripe's page while it can be paid, "" otherwise.

    `mode`: the price, a part of it (`deposit`), or a card that is kept (`hold`), which is charged what the user owes
    once the booking has ended. The amount of a kept card is the most that it can be charged, and then what it is. A
    charge is under way (`charging`), was not paid by the bank (`unpaid`), or nothing is owed (`released`).
    `rest_cents`: what is paid at the session. `charge_cents`: what the card is charged if the user cancels now.

    `expires_at`: when that page closes. `seconds_left`: how long the time is held, 0 once it is not; it needs no
    correct clock of the reader. `total_cents`: what is paid on that page, with the other sessions of a series.
    `refund_cents`: what comes back if the user cancels now. `disputed` while the user's bank decides on it, and
    `bank_returned_cents` what it then returned by itself. `card` is "Visa ending in 4242", or "". `is_late`: it
    arrived after the time was free again.
    """

    id: str
    mode: Literal["full", "deposit", "hold"]
    state: Literal["opening", "open", "paid", "expired", "failed", "canceled", "kept", "charging", "unpaid", "released"]
    amount_cents: int
    rest_cents: int
    charge_cents: int
    total_cents: int
    refunded_cents: int
    disputed: bool
    bank_returned_cents: int
    refund_cents: int
    url: str
    expires_at: str
    seconds_left: int
    card: str
    paid_at: str | None
    is_late: bool


class BookingData(BookedSession):
    """A booking of the user. `terms` apply now. `payment` is null for one that is not paid by card.

    `place_text` is the guru's address or link, or what they need at the user's place; "" until the booking is
    confirmed. `address` is the user's, for a session at their place.

    `waiver_id` is null for a session without a waiver. `waiver_due`: someone has no waiver that is valid at the start.
    `people` are those who take part in a session with a waiver; empty for one that was booked before they were kept.
    `series_id` is that of the series with which it was booked, null for a single session. `checked_in_at`: when the
    guru saw that the people came. `uses_up_package`: canceling it now would not return the session of its package.
    """

    id: str
    series_id: str | None
    status: Status
    place_text: str
    address: str
    waiver_level: str
    waiver_id: str | None
    waiver_until: str | None
    waiver_due: bool
    people: list[ParticipantData]
    participants: list[str]
    note: str
    answers: list[AnswerData]
    expires_at: str | None
    ended_by: str
    reason: str
    owed_cents: int
    package: UsedPackageData | None
    uses_up_package: bool
    proposal: MoveProposalData | None
    terms: CurrentTermsData
    payment: PaymentData | None
    checked_in_at: str | None


class OwnBookingData(BookingData):
    """A booking of the user with the card of its guru."""

    guru: GuruCard


class BookingResponse(ResponseModel):
    """A booking."""

    success: bool
    data: OwnBookingData


class BookingsData(ResponseModel):
    """One page of bookings."""

    bookings: list[BookingData]
    next_cursor: str | None


class BookingsResponse(ResponseModel):
    """One page of bookings."""

    success: bool
    data: BookingsData


class HoldReleasedResponse(ResponseModel):
    """A released hold."""

    success: bool
