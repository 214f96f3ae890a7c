"""Request and response bodies of exchanges. Times are UTC instants; zones are IANA names, "" if unknown."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints
from pydantic_core import PydanticCustomError

from porchlight.contracts import RiskLevel
from porchlight.features.exchanges.agreement import RecordState, Side, Status
from porchlight.features.exchanges.hours_rules import MAX_RECORDED_MINUTES, Mode
from porchlight.features.exchanges.rules import MAX_PROPOSALS
from porchlight.features.exchanges.settlement_rules import MAX_RECORDS
from tenants.kit.schemas import ONE_LINE, PRINTABLE, WHOLE_SENTENCE, Payload, ResponseModel
from tenants.kit.zones import canonical_zone, zone_names

MAX_NOTE_CHARACTERS = 1000
MIN_MINUTES, MAX_MINUTES = 30, 240
When = Literal["upcoming", "waiting", "past"]
Place = Literal["teacher", "learner", "online", "agreed"]
Words = Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS), PRINTABLE]
Zone = Annotated[str, StringConstraints(max_length=64), ONE_LINE]


def _whole_minute(moment: datetime) -> datetime:
    if moment.second or moment.microsecond:
        raise PydanticCustomError(WHOLE_SENTENCE, "{sentence}", {"sentence": "Choose a time in whole minutes."})
    return moment


StartTime = Annotated[
    AwareDatetime,
    Field(
        strict=False,
        ge=datetime.fromisoformat("2000-01-01T00:00:00+00:00"),
        le=datetime.fromisoformat("2200-01-01T00:00:00+00:00"),
    ),
    AfterValidator(_whole_minute),
]
Starts = Annotated[list[StartTime], Field(min_length=1, max_length=MAX_PROPOSALS)]


class ZonedPayload(Payload):
    """A body with the IANA zone in which the person sees times."""

    zone: Zone = ""

    @property
    def known_zone(self) -> str:
        """Return today's name of the zone, or "" for one that we don't know."""
        return canonical_zone(self.zone) if self.zone in zone_names() else ""


class AskPayload(ZonedPayload):
    """A session about a listing: one to three times, the length in minutes, and where to meet.

    `mode`: what it is given for; without it, what the listing names first.
    """

    offer_id: Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
    starts: Starts
    minutes: Annotated[int, Field(ge=MIN_MINUTES, le=MAX_MINUTES)]
    place: Place
    mode: Mode | None = None
    note: Words = ""


class ExchangeAnswerPayload(ZonedPayload):
    """An answer to proposed times. `sequence`: of the exchange that the person saw.

    `startsAt`: the time to accept; `starts`: those to propose instead.
    """

    answer: Literal["accept", "counter", "decline"]
    sequence: Annotated[int, Field(ge=0, le=1_000_000)]
    starts_at: StartTime | None = None
    starts: Annotated[list[StartTime], Field(max_length=MAX_PROPOSALS, default_factory=list)]
    words: Words = ""


class ExchangeCancellationPayload(Payload):
    """A cancellation, with words for the other one."""

    words: Words = ""


Round = Annotated[int, Field(ge=0, le=MAX_RECORDS)]


class TimeRecordPayload(Payload):
    """The minutes that a session took: in quarter hours, 0 if it did not take place. `round`: as the person saw it."""

    minutes: Annotated[int, Field(ge=0, le=MAX_RECORDED_MINUTES)]
    round: Round
    words: Words = ""


class TimeSettlementPayload(Payload):
    """That the recorded time is right. `round`: as the person saw it."""

    round: Round


class TimeReversalPayload(Payload):
    """That a person wants what was settled taken back, or no longer wants it. Both have to want it."""

    wanted: bool
    words: Words = ""


class ExchangeNeighbor(ResponseModel):
    """The other one. `handle` is null without a public profile. `canArrange`: neither blocked the other."""

    name: str
    handle: str | None
    photo_url: str
    can_arrange: bool


class ProposedTime(ResponseModel):
    """A proposed time. `overlaps`: the reader has another session then."""

    starts_at: str
    ends_at: str
    overlaps: bool


class RecordedTime(ResponseModel):
    """The time of a session: what the side `by` recorded last, and until when the next step can be taken.

    `canRecord`: the reader can record it. `canAnswer`: they can confirm it or object. `reversalBy`: the side that wants
    what was settled taken back.
    """

    state: RecordState
    minutes: int | None
    by: Literal["", "teacher", "learner"]
    round: int
    settle_by: str | None
    can_record: bool
    can_answer: bool
    can_reverse: bool
    reversal_by: Literal["", "teacher", "learner"]


class ExchangeData(ResponseModel):
    """An exchange as one of the two sees it. `side`: theirs. `canAnswer`: it is their turn.

    `endedBy` is the side that declined or canceled, "" if time did. `reply`: the last words of the side `replyBy`.
    `waiverDue`: the learner has to accept a waiver: one that is valid at the start, or now before they agree on a time.
    """

    id: str
    side: Side
    status: Status
    skill: str
    offer_id: str
    neighbor: ExchangeNeighbor
    minutes: int
    place: Place
    note: str
    reply: str
    reply_by: Literal["", "teacher", "learner"]
    proposals: list[ProposedTime]
    round: int
    can_answer: bool
    can_counter: bool
    can_cancel: bool
    expires_at: str | None
    starts_at: str | None
    ends_at: str | None
    ended_by: Literal["", "teacher", "learner"]
    teacher_zone: str
    learner_zone: str
    risk: RiskLevel | None
    waiver_due: bool
    waiver_until: str | None
    mode: Mode
    time: RecordedTime
    sequence: int
    changed_at: str


class ExchangeResponse(ResponseModel):
    """An exchange."""

    success: bool
    data: ExchangeData


class ExchangesData(ResponseModel):
    """A page of exchanges."""

    exchanges: list[ExchangeData]
    next_cursor: str | None


class ExchangesResponse(ResponseModel):
    """GET /api/exchanges."""

    success: bool
    data: ExchangesData


class ExchangeCounts(ResponseModel):
    """How many exchanges are agreed on and ahead, wait for an answer, wait for the reader's, and took place."""

    upcoming: int
    waiting: int
    to_answer: int
    completed: int


class ExchangeCountsResponse(ResponseModel):
    """GET /api/exchanges/counts."""

    success: bool
    data: ExchangeCounts


class OwnHours(ResponseModel):
    """The reader's hours, in minutes. `reserved`: for agreed sessions; `floor`: the lowest balance."""

    balance: int
    reserved: int
    floor: int


class ExchangeOffer(ResponseModel):
    """The listing that a session can be asked about, and what for. `refusal` says why it cannot, or is null."""

    id: str
    title: str
    neighbor: ExchangeNeighbor
    formats: list[Literal["in_person", "online"]]
    teacher_zone: str
    risk: RiskLevel
    requires_waiver: bool
    modes: list[Mode]
    hours: OwnHours
    refusal: str | None


class OfferName(ResponseModel):
    """A listing of a neighbor."""

    id: str
    title: str


class NeighborOffers(ResponseModel):
    """The visible listings of a neighbor, by title."""

    name: str
    offers: list[OfferName]


class NeighborOffersResponse(ResponseModel):
    """GET /api/exchanges/offers."""

    success: bool
    data: NeighborOffers


class ExchangeOfferResponse(ResponseModel):
    """GET /api/exchanges/offers/{id}."""

    success: bool
    data: ExchangeOffer
