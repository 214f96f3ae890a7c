"""The booking settings of a service as its guru enters them, and the rules that they have to follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final, Literal
from uuid import UUID

from sites.hours.local_days import MINUTES_PER_DAY
from sites.hours.models import BookingSettings
from sites.hours.proposal import DEFAULT_PLACE
from sites.hours.questions import Question
from sites.hours.rules import MAX_BOOKABLE_MINUTES, MIN_BOOKABLE_MINUTES
from tenants.kit.errors import Conflict, ValidationFailed

MAX_PLACE_LENGTH = 300  # characters of an address, a link or a note on the place
MAX_BRING_LENGTH = 300  # characters of what people bring to a session
# What the guru has to enter before people can book, by the kind of place.
NEEDED_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "guru": "Enter your address. Only neighbors who booked see it.",
        "online": "Enter the link. Only neighbors who booked see it.",
    }
)

DEFAULT_DEPOSIT_PERCENT = 20
MIN_DEPOSIT_PERCENT, MAX_DEPOSIT_PERCENT = 5, 95
NOTHING_TO_CHARGE = (
    "With these terms a card is never charged. Charge something for not coming, or choose another way to pay."
)

Policy = Literal["flexible", "moderate", "strict", "own"]


@dataclass(frozen=True, slots=True)
class CancellationTerms:
    """Terms for cancellations and moves: minutes before the start, shares of the price in percent."""

    free_until_minutes: int
    late_percent: int
    missed_percent: int
    moves_max: int
    move_until_minutes: int


STANDARD_TERMS: Final[Mapping[str, CancellationTerms]] = MappingProxyType(
    {
        "flexible": CancellationTerms(1440, 0, 50, 2, 1440),
        "moderate": CancellationTerms(2880, 50, 100, 2, 2880),
        "strict": CancellationTerms(10_080, 100, 100, 2, 10_080),
    }
)
"""The terms of each policy, except the guru's own. Each allows two moves, until a cancellation costs something."""


@dataclass(frozen=True, slots=True)
class ServiceBookingInput:
    """How a service is booked, as entered by its guru. `terms` is set with the policy `own` only.

    `bring` is what people bring to a session, "" for nothing. `questions` are asked before a session is booked.
    `payment`: in person, or by card when it is booked: in full, `deposit_percent` of the price (`deposit`), or nothing
    (`hold`): the card is kept.
    """

    open: bool
    capacity: int
    party_max: int
    setup_minutes: int
    cleanup_minutes: int
    starts: str
    approval: str
    place: str
    place_text: str
    bring: str
    questions: Sequence[Question]
    waiver: str
    risk: str
    policy: Policy
    terms: CancellationTerms | None
    payment: str = "in_person"
    deposit_percent: int = DEFAULT_DEPOSIT_PERCENT


def default_settings(tenant_id: UUID, service_id: UUID) -> BookingSettings:
    """Return the settings of a service whose guru has set none: closed, in hours, at the guru's place."""
    return BookingSettings(
        tenant_id=tenant_id,
        service_id=service_id,
        open=False,
        capacity=1,
        party_max=1,
        setup_minutes=0,
        cleanup_minutes=0,
        starts="hours",
        approval="instant",
        place=DEFAULT_PLACE,
        place_text="",
        bring="",
        questions=[],
        waiver="risk",
        risk="",
        policy="flexible",
        payment="in_person",
        deposit_percent=DEFAULT_DEPOSIT_PERCENT,
        **asdict(STANDARD_TERMS["flexible"]),
    )


def require_place(place: str, place_text: str) -> None:
    """Raise ValidationFailed for the guru's place without an address, and for an online session without a link."""
    if place in NEEDED_PLACES and not place_text:
        raise ValidationFailed(fields={"placeText": NEEDED_PLACES[place]})


def require_fair_terms(terms: CancellationTerms | None) -> None:
    """Raise ValidationFailed for own terms that contradict each other."""
    if terms is None:
        return
    if terms.late_percent and not terms.free_until_minutes:
        raise ValidationFailed(
            fields={"terms.freeUntilMinutes": "Say until when canceling is free, or charge nothing for it."}
        )
    if terms.missed_percent < terms.late_percent:
        raise ValidationFailed(
            fields={"terms.missedPercent": "Charge at least as much for not coming as for canceling late."}
        )


def require_reason_for_card(payment: str, policy: Policy, terms: CancellationTerms | None) -> None:
    """Raise ValidationFailed for keeping cards with terms by which nothing is ever owed."""
    if payment == "hold" and not (terms or STANDARD_TERMS[policy]).missed_percent:
        raise ValidationFailed(fields={"payment": NOTHING_TO_CHARGE})


def require_notice_within_horizon(notice_minutes: int, horizon_days: int) -> None:
    """Raise ValidationFailed for a notice that leaves no day on which people could book."""
    if notice_minutes >= horizon_days * MINUTES_PER_DAY:
        message = "With this notice, no time could be booked. Choose a shorter one, or let people book further ahead."
        raise ValidationFailed(fields={"noticeMinutes": message})


def require_fitting_hours(minutes: int, longest: int) -> None:
    """Raise Conflict for a session that is longer than the longest hours without a break; 0 means no hours."""
    if 0 < longest < minutes:
        raise Conflict(
            f"A session takes {minutes} minutes, but your longest hours without a break are {longest} minutes."
            " Please set longer hours first, or choose dates and times yourself."
        )


def require_bookable(minutes: int | None) -> int:
    """Return the length of a service. Raise Conflict unless sessions can have it."""
    if minutes is None or not MIN_BOOKABLE_MINUTES <= minutes <= MAX_BOOKABLE_MINUTES:
        raise Conflict(
            f"Please give this service a length of {MIN_BOOKABLE_MINUTES} to {MAX_BOOKABLE_MINUTES} minutes first."
        )
    return minutes
