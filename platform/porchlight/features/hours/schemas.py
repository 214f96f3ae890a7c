"""Request and response schemas of a guru's hours, blocked times, booking settings and fixed starts."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, StringConstraints, model_validator

from sites.hours.actions import MAX_RANGES
from sites.hours.local_days import MINUTES_PER_DAY
from sites.hours.questions import (
    MAX_CHOICE_LENGTH,
    MAX_CHOICES,
    MAX_QUESTION_LENGTH,
    MAX_QUESTIONS,
    Question,
    QuestionKind,
)
from sites.hours.schemas import QuestionData
from sites.hours.service_settings import (
    DEFAULT_DEPOSIT_PERCENT,
    MAX_BRING_LENGTH,
    MAX_DEPOSIT_PERCENT,
    MAX_PLACE_LENGTH,
    MIN_DEPOSIT_PERCENT,
)
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel, field_error

MAX_REVISION = 2**53
MAX_ZONE_LENGTH = 64
MAX_MINUTES_BEFORE_START = 43_200  # 30 days
MAX_BUFFER_MINUTES = 240
MAX_CAPACITY = 100
MAX_PARTY = 10
MAX_TIME_AHEAD = timedelta(days=2 * 366)  # rejects typos such as the year 9999

Weekday = Annotated[int, Field(ge=0, le=6)]
Revision = Annotated[int, Field(ge=0, le=MAX_REVISION)]
Percent = Annotated[int, Field(ge=0, le=100)]
MinutesBeforeStart = Annotated[int, Field(ge=0, le=MAX_MINUTES_BEFORE_START)]
StepMinutes = Literal[5, 10, 15, 20, 30, 60]
Starts = Literal["hours", "fixed"]
Approval = Literal["instant", "request"]
PaymentKind = Literal["in_person", "full", "deposit", "hold"]
PlaceKind = Literal["guru", "person", "online", "agreed"]
WaiverRule = Literal["risk", "always", "signed"]
RiskOverride = Literal["", "low", "medium", "high", "extreme"]
PolicyKind = Literal["flexible", "moderate", "strict", "own"]


def _require_string(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("must include a time zone offset")
    return value


def _check_moment(moment: datetime) -> datetime:
    if moment.second or moment.microsecond:
        raise ValueError("must be a whole minute")
    if abs(moment - clock.now()) > MAX_TIME_AHEAD:
        raise ValueError("must be within the next two years")
    return moment


# ISO 8601 with an offset, in whole minutes. Parsed from a string: JSON has no type for times.
Moment = Annotated[AwareDatetime, Field(strict=False), AfterValidator(_check_moment), BeforeValidator(_require_string)]


class HoursRangePayload(Payload):
    """A range of hours, in minutes of wall time after midnight. `end` is not included; 1440 is the end of the day."""

    start: Annotated[int, Field(ge=0, lt=MINUTES_PER_DAY)]
    end: Annotated[int, Field(gt=0, le=MINUTES_PER_DAY)]

    @model_validator(mode="after")
    def _check_order(self) -> HoursRangePayload:
        if self.end <= self.start:
            raise field_error("end", "This must be after the start.")
        return self


def _check_disjoint(ranges: list[HoursRangePayload]) -> list[HoursRangePayload]:
    in_order = sorted(ranges, key=lambda found: found.start)
    if any(later.start < earlier.end for earlier, later in pairwise(in_order)):
        raise ValueError("must not overlap")
    return in_order


DayRanges = Annotated[list[HoursRangePayload], Field(max_length=MAX_RANGES), AfterValidator(_check_disjoint)]


class WeekdaysPayload(Payload):
    """The same hours for one or more weekdays. Monday is 0."""

    weekdays: Annotated[list[Weekday], Field(min_length=1, max_length=7)]
    ranges: DayRanges


class WeekPayload(Payload):
    """The hours of the week. A weekday that is not named is closed.

    `revision`: the one that the changes are based on.
    """

    revision: Revision
    week: Annotated[list[WeekdaysPayload], Field(max_length=7)]

    @model_validator(mode="after")
    def _check_weekdays(self) -> WeekPayload:
        weekdays = [weekday for group in self.week for weekday in group.weekdays]
        if len(weekdays) != len(set(weekdays)):
            raise field_error("week", "Name each weekday once.")
        return self


class DateHoursPayload(Payload):
    """The hours of one date, which replace those of its weekday. Without ranges, the date is closed."""

    ranges: DayRanges


class CalendarPayload(Payload):
    """Changes to the calendar. Omitted fields do not change; null removes `dayMax` or `pausedUntil`.

    `revision`: the one that the changes are based on.
    """

    revision: Revision
    zone: Annotated[str, StringConstraints(min_length=1, max_length=MAX_ZONE_LENGTH), ONE_LINE] | None = None
    step_minutes: StepMinutes | None = None
    notice_minutes: MinutesBeforeStart | None = None
    horizon_days: Annotated[int, Field(ge=1, le=365)] | None = None
    day_max: Annotated[int, Field(ge=1, le=100)] | None = None
    paused_until: Moment | None = None


class BlockPayload(Payload):
    """A time at which no session can take place."""

    starts_at: Moment
    ends_at: Moment


class FixedStartPayload(Payload):
    """The start of a session that the guru sets."""

    starts_at: Moment


class CancellationTermsPayload(Payload):
    """The guru's own terms: minutes before the start, shares of the price in percent."""

    free_until_minutes: MinutesBeforeStart
    late_percent: Percent
    missed_percent: Percent
    moves_max: Annotated[int, Field(ge=0, le=10)]
    move_until_minutes: MinutesBeforeStart


class QuestionPayload(Payload):
    """A question that is asked before a session is booked. `choices` are for the kind `choice` only."""

    label: Annotated[str, StringConstraints(max_length=MAX_QUESTION_LENGTH), ONE_LINE]
    kind: QuestionKind
    required: bool
    choices: Annotated[
        list[Annotated[str, StringConstraints(max_length=MAX_CHOICE_LENGTH), ONE_LINE]],
        Field(max_length=MAX_CHOICES, default_factory=list),
    ]

    def question(self) -> Question:
        """Return the question as the rules read it."""
        return Question(self.label, self.kind, self.required, tuple(self.choices))


class ServiceBookingPayload(Payload):
    """How a service is booked. `terms` is for the policy `own` only. `risk` "" is the level of the category.

    `revision`: the one that the changes are based on.
    """

    revision: Revision
    open: bool
    capacity: Annotated[int, Field(ge=1, le=MAX_CAPACITY)]
    party_max: Annotated[int, Field(ge=1, le=MAX_PARTY)]
    setup_minutes: Annotated[int, Field(ge=0, le=MAX_BUFFER_MINUTES)]
    cleanup_minutes: Annotated[int, Field(ge=0, le=MAX_BUFFER_MINUTES)]
    starts: Starts
    approval: Approval
    place: PlaceKind
    place_text: Annotated[str, StringConstraints(max_length=MAX_PLACE_LENGTH), PRINTABLE] = ""
    bring: Annotated[str, StringConstraints(max_length=MAX_BRING_LENGTH), PRINTABLE] = ""
    questions: Annotated[list[QuestionPayload], Field(max_length=MAX_QUESTIONS, default_factory=list)]
    waiver: WaiverRule
    risk: RiskOverride
    policy: PolicyKind
    terms: CancellationTermsPayload | None = None
    payment: PaymentKind = "in_person"
    deposit_percent: Annotated[int, Field(ge=MIN_DEPOSIT_PERCENT, le=MAX_DEPOSIT_PERCENT)] = DEFAULT_DEPOSIT_PERCENT

    @model_validator(mode="after")
    def _check_together(self) -> ServiceBookingPayload:
        if self.party_max > self.capacity:
            raise field_error("partyMax", "A booking can't take more people than there are spots.")
        if (self.policy == "own") != (self.terms is not None):
            raise field_error("terms", "Set terms if this service has its own, and only then.")
        return self


class HoursRange(ResponseModel):
    """A range of hours, in minutes of wall time after midnight. `end` is not included."""

    start: int
    end: int


class WeekdayHours(ResponseModel):
    """The hours of a weekday (Monday is 0), in order. Without ranges, it is closed."""

    weekday: int
    ranges: list[HoursRange]


class HoursOfDate(ResponseModel):
    """The hours of a date, which replace those of its weekday. Without ranges, the date is closed."""

    day: str
    ranges: list[HoursRange]


class CalendarSettings(ResponseModel):
    """A guru's calendar and hours. `confirmed` is false while the hours are only proposed.

    `revision` changes with the calendar, the hours, the booking settings and the services. `week` has all seven days,
    `dates` those from today on.
    """

    revision: int
    confirmed: bool
    zone: str
    step_minutes: int
    notice_minutes: int
    horizon_days: int
    day_max: int | None
    paused_until: str | None
    week: list[WeekdayHours]
    dates: list[HoursOfDate]


class CalendarSettingsResponse(ResponseModel):
    """The response of the routes of the calendar and the hours."""

    success: bool
    data: CalendarSettings


class BlockedTime(ResponseModel):
    """A blocked time, in UTC."""

    id: str
    starts_at: str
    ends_at: str


class BlockedTimeList(ResponseModel):
    """The blocked times that have not ended, in order."""

    blocks: list[BlockedTime]


class BlockedTimesResponse(ResponseModel):
    """The response of the routes of blocked times."""

    success: bool
    data: BlockedTimeList


class BookingTerms(ResponseModel):
    """Terms for cancellations and moves: minutes before the start, shares of the price in percent."""

    free_until_minutes: int
    late_percent: int
    missed_percent: int
    moves_max: int
    move_until_minutes: int


class StandardTerms(ResponseModel):
    """The terms of each standard policy."""

    flexible: BookingTerms
    moderate: BookingTerms
    strict: BookingTerms


class ServiceBooking(ResponseModel):
    """How a service is booked. `minutes` is null for a service without bookable slots; it cannot be opened.

    `revision` is that of the calendar. `terms` are those of the policy. `payment`: in person, or by card when a session
    is booked: in full, `deposit_percent` of the price, or nothing (`hold`): the card is kept.
    """

    revision: int
    service_id: str
    minutes: int | None
    open: bool
    capacity: int
    party_max: int
    setup_minutes: int
    cleanup_minutes: int
    starts: Starts
    approval: Approval
    place: PlaceKind
    place_text: str
    bring: str
    questions: list[QuestionData]
    waiver: WaiverRule
    risk: RiskOverride
    policy: PolicyKind
    terms: BookingTerms
    payment: PaymentKind
    deposit_percent: int
    standard_terms: StandardTerms


class ServiceBookingResponse(ResponseModel):
    """The response of the routes of a service's booking settings."""

    success: bool
    data: ServiceBooking


class FixedStart(ResponseModel):
    """A session with a fixed start, in UTC. `taken` of its `capacity` spots are taken."""

    id: str
    starts_at: str
    ends_at: str
    capacity: int
    taken: int


class FixedStartList(ResponseModel):
    """The sessions with a fixed start that have not ended, in order."""

    starts: list[FixedStart]


class FixedStartsResponse(ResponseModel):
    """The response of the routes of fixed starts."""

    success: bool
    data: FixedStartList


class StartReason(ResponseModel):
    """Whether a time is offered. `reason` is null then; else `sentence` says why it is not."""

    offered: bool
    reason: (
        Literal[
            "not_open", "not_shown", "closed", "outside_hours", "off_grid", "skipped_time", "repeated_time",
            "ends_after_hours", "busy", "busy_elsewhere", "full", "no_session", "paused", "too_soon",
            "beyond_horizon", "day_max",
        ]
        | None
    )  # fmt: skip
    sentence: str


class StartReasonResponse(ResponseModel):
    """The response of GET /api/guru/services/{id}/why."""

    success: bool
    data: StartReason
