"""Request and response bodies of the guru's side of bookings. Times are UTC, prices are cents for the whole party."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.schemas import (
    Address,
    AnswerData,
    MoveProposalData,
    ParticipantData,
    Place,
    Status,
    UsedPackageData,
)
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

MAX_REASON_CHARACTERS = 500
Reason = Annotated[str, StringConstraints(max_length=MAX_REASON_CHARACTERS), PRINTABLE]
NeededReason = Annotated[str, StringConstraints(min_length=1, max_length=MAX_REASON_CHARACTERS), PRINTABLE]
Actor = Literal["person", "guru", "staff", "system"]


class AnswerPayload(Payload):
    """The answer to a request. The person reads the reason. `whole_series`: to all open requests of its series."""

    accept: bool
    reason: Reason = ""
    whole_series: bool = False


class GuruCancellationPayload(Payload):
    """The reason of a cancellation, which the person reads."""

    reason: NeededReason


class AttendancePayload(Payload):
    """Whether the person missed the session."""

    missed: bool


class SessionPlacePayload(Payload):
    """Where a session takes place. `place_text` is the address, the link, or what is needed at the person's place."""

    place: Place
    place_text: Address = ""


class GuruBookingData(ResponseModel):
    """A booking as its guru sees it.

    `series_id` is that of the series with which it was booked, null for a single session. `expires_at` is the time
    until which a request can be answered. `waiver_due`: the session needs waivers, and someone has none that is
    valid at the start. `proposal` is the guru's own, open one. `can_mark_missed`: the attendance can be set now, in
    both directions. `person_zone` is the person's IANA zone, "" if it is not known or the session not online.
    `is_customer`: the guru booked it for someone without an account.
    """

    id: str
    series_id: str | None
    is_customer: bool
    status: Status
    appointment_id: str
    person_name: str
    participants: list[str]
    party: int
    note: str
    answers: list[AnswerData]
    service_id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    person_zone: str
    price_cents: int
    currency: str
    place: Place
    place_text: str
    expires_at: str | None
    waiver_level: str
    waiver_until: str | None
    waiver_due: bool
    ended_by: str
    reason: str
    owed_cents: int
    package: UsedPackageData | None
    proposal: MoveProposalData | None
    can_answer: bool
    can_cancel: bool
    can_propose: bool
    can_mark_missed: bool
    can_change_place: bool
    checked_in_at: str | None
    checked_in_by: str


class GuruBookingList(ResponseModel):
    """One page of bookings. `requests` is the number of requests that wait for an answer."""

    bookings: list[GuruBookingData]
    next_cursor: str | None
    requests: int


class GuruBookingListResponse(ResponseModel):
    """One page of bookings."""

    success: bool
    data: GuruBookingList


class BookingEventData(ResponseModel):
    """An entry of a booking's history.

    `event` is the new status, `moved`, `place_changed`, `answers_changed`, `claimed`, or about a proposal of
    another time. `name` is that of the account that claimed it, "" for other events.
    """

    at: str
    actor: Actor
    event: str
    reason: str
    name: str


class GuruRefundData(ResponseModel):
    """A refund of a booking's payment, in cents: `share_cents` from the guru, `fee_cents` from the platform's fee."""

    amount_cents: int
    share_cents: int
    fee_cents: int
    actor: Actor
    state: Literal["requested", "done", "failed"]
    created_at: str


class GuruPaymentData(ResponseModel):
    """The payment of a booking by card, and the guru's part of it, in cents.

    `mode`: the price, a part of it, or a card that is kept, whose amount is what it is charged, 0 before. A charge is
    under way (`charging`), was not paid yet (`unpaid`), or there is none (`released`).

    `share_cents` are what is left of the guru's part after refunds and disputes. They are held until `delivered_at`, a
    day after the session, null before. `kept_cents` can be returned, unless the payment is `disputed`. `dispute_id` is
    of the latest dispute, null for none.
    """

    mode: Literal["full", "deposit", "hold"]
    state: Literal["paid", "kept", "charging", "unpaid", "released"]
    amount_cents: int
    refunded_cents: int
    fee_cents: int
    share_cents: int
    kept_cents: int
    disputed: bool
    dispute_id: str | None
    refunds: list[GuruRefundData]
    delivered_at: str | None


class GuruBookingDetails(GuruBookingData):
    """A booking with its history, the oldest entry first, and who of its participants has a waiver.

    `payment` is null for one that is not paid by card, `tipped_cents` what the person added to it in all.

    `address` is the person's, for a session at their place that may take place. At `customer_email`, a customer gets
    emails; "" for none.
    """

    customer_email: str
    people: list[ParticipantData]
    address: str
    payment: GuruPaymentData | None
    tipped_cents: int
    events: list[BookingEventData]


class GuruBookingResponse(ResponseModel):
    """A booking with its history."""

    success: bool
    data: GuruBookingDetails


class SessionData(ResponseModel):
    """A session, a blocked time, or an exchange with a neighbor, whose id is the exchange's.

    `service_id` is null for the latter two, and for a deleted service. From `blocked_from` to `blocked_until` the guru
    is busy: the time with its setup and cleanup.
    """

    id: str
    kind: Literal["session", "block", "exchange"]
    fixed: bool
    service_id: str | None
    service_name: str
    starts_at: str
    ends_at: str
    blocked_from: str
    blocked_until: str
    capacity: int
    taken: int
    waiting: int
    bookings: list[GuruBookingData]


class BusyTimeData(ResponseModel):
    """A busy time of a connected calendar, with the guru's name for it. Nothing else is known about it."""

    calendar: str
    starts_at: str
    ends_at: str


class OpenTimeData(ResponseModel):
    """A time in which the guru takes sessions, if nothing else is then."""

    starts_at: str
    ends_at: str


class WeekData(ResponseModel):
    """The sessions and blocked times of seven days, from the local day `from` in the calendar's zone.

    `more`: later sessions have bookings that are left out, because there are very many. `busy` are the times of
    connected calendars, which only the guru sees. `hours` are those of the days, with each day's exceptions. Until
    `paused_until`, the calendar takes no bookings; null if it does.
    """

    zone: str
    from_day: str = Field(alias="from")
    sessions: list[SessionData]
    busy: list[BusyTimeData]
    hours: list[OpenTimeData]
    paused_until: str | None
    more: bool


class WeekResponse(ResponseModel):
    """The sessions and blocked times of seven days."""

    success: bool
    data: WeekData


class CanceledSessionData(ResponseModel):
    """The bookings and requests that ended with their session."""

    bookings: list[GuruBookingData]


class CanceledSessionResponse(ResponseModel):
    """The bookings and requests that ended with their session."""

    success: bool
    data: CanceledSessionData


class SessionPlaceData(ResponseModel):
    """The open bookings of a session, which have its new place."""

    bookings: list[GuruBookingData]


class SessionPlaceResponse(ResponseModel):
    """The open bookings of a session, which have its new place."""

    success: bool
    data: SessionPlaceData


class NextBookingData(ResponseModel):
    """A booking to come, in short."""

    id: str
    service_id: str
    person_name: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    waiver_due: bool


class BookedTimesData(ResponseModel):
    """The bookings and requests of a time, the earliest first. `more`: there are others, later ones."""

    bookings: list[NextBookingData]
    more: bool


class BookedTimesResponse(ResponseModel):
    """The bookings and requests of a time."""

    success: bool
    data: BookedTimesData


class UnplacedBookingData(ResponseModel):
    """A confirmed booking to come whose place is not known."""

    id: str
    person_name: str
    service_name: str
    starts_at: str
    zone: str


class UnplacedServiceData(ResponseModel):
    """A service that is open for booking at the guru's place or online, without the address or the link."""

    id: str
    name: str


class BookingsOverview(ResponseModel):
    """Summary of the bookings for the guru.

    `next` has up to three. `requests` wait for an answer, and `waivers_due` are bookings to come without a waiver that
    they need. Without `has_hours`, there are no times that neighbors could book. `unplaced` and `unplaced_services`
    have the first five each; `more_unplaced`: whether there are others.
    """

    next: list[NextBookingData]
    requests: int
    waivers_due: int
    has_hours: bool
    unplaced: list[UnplacedBookingData]
    unplaced_services: list[UnplacedServiceData]
    more_unplaced: bool


class BookingsOverviewResponse(ResponseModel):
    """Summary of the bookings for the guru."""

    success: bool
    data: BookingsOverview
