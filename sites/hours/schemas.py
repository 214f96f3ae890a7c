"""The schemas of free times, and the responses made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sites.hours.queries import ServiceRules, ServiceTimes
from sites.hours.questions import QuestionKind
from sites.hours.slots import Start
from tenants.kit import clock
from tenants.kit.schemas import ResponseModel


class QuestionData(ResponseModel):
    """A question that is asked before a session is booked. `choices` are for the kind `choice` only."""

    label: str
    kind: QuestionKind
    required: bool
    choices: list[str]


class SlotResponse(ResponseModel):
    """A start that can be booked, in UTC, and the number of seats left."""

    starts_at: str
    seats: int


class SlotsResponse(ResponseModel):
    """The free times of a service, and how it is booked.

    `firstDay` is the first local day of the starts, `days` how many days the answer reaches, which may be fewer than
    were asked for. `lastDay` is the last day on which the service is offered, `zone` the guru's IANA zone. `full` are
    the starts of full sessions, whose waitlist people can join. `next` is the first start that can be booked from now
    on, on any day. A cancellation is free until `freeUntilMinutes` before the start; after it, `latePercent` of the
    price is owed, and `missedPercent` for not coming. `payment`: in person, or by card when a session is booked, in
    full, `depositPercent` of the price, or nothing: the card is kept (`hold`). A card takes no price below $5.
    """

    success: bool
    zone: str
    minutes: int
    capacity: int
    party_max: int
    approval: Literal["instant", "request"]
    place: Literal["guru", "person", "online", "agreed"]
    free_until_minutes: int
    late_percent: int
    missed_percent: int
    payment: Literal["in_person", "full", "deposit", "hold"]
    deposit_percent: int
    today: str
    last_day: str
    first_day: str
    days: int
    starts: list[SlotResponse]
    full: list[str]
    next: SlotResponse | None
    message: str


class NextStartResponse(ResponseModel):
    """The next free start of a service, in UTC; null if it has none."""

    service_id: str
    starts_at: str | None


class NextStartsResponse(ResponseModel):
    """The next free starts of a guru's services. `zone` is the guru's IANA zone; empty without services."""

    success: bool
    zone: str
    services: list[NextStartResponse]
    message: str


def slots_response(times: ServiceTimes) -> SlotsResponse:
    """Return the response about a service's free times."""
    rules = times.rules
    return SlotsResponse(
        success=True,
        zone=rules.calendar.zone,
        minutes=rules.service.minutes,
        capacity=rules.service.capacity,
        party_max=rules.terms.party_max,
        approval=rules.terms.approval,
        place=rules.terms.place,
        free_until_minutes=rules.terms.free_until_minutes,
        late_percent=rules.terms.late_percent,
        missed_percent=rules.terms.missed_percent,
        payment=rules.terms.payment,
        deposit_percent=rules.terms.deposit_percent,
        today=rules.today.isoformat(),
        last_day=rules.last_day.isoformat(),
        first_day=times.first_day.isoformat(),
        days=times.days,
        starts=[_slot(start) for start in times.starts],
        full=[clock.to_iso8601(start) for start in times.full],
        next=_slot(times.next_start) if times.next_start else None,
        message="",
    )


def next_starts_response(found: Sequence[tuple[ServiceRules, Start | None]]) -> NextStartsResponse:
    """Return the response about the next free starts of a guru's services."""
    return NextStartsResponse(
        success=True,
        zone=found[0][0].calendar.zone if found else "",
        services=[
            NextStartResponse(
                service_id=str(rules.service.id), starts_at=clock.to_iso8601(start.starts_at) if start else None
            )
            for rules, start in found
        ],
        message="",
    )


def _slot(start: Start) -> SlotResponse:
    return SlotResponse(starts_at=clock.to_iso8601(start.starts_at), seats=start.seats)
