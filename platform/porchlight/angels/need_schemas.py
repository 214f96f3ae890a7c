"""Needs and offers on the wire. Money is in cents, for the whole job; days are ISO dates."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from porchlight.angels.schemas import CoarsePlacePayload
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

TITLE, DESCRIPTION, NOTE, MESSAGE, REVIEW = 120, 2000, 200, 1000, 600  # characters at most
Hours = Annotated[float, Field(ge=0.5, le=80, multiple_of=0.5, allow_inf_nan=False)]
JobCents = Annotated[int, Field(ge=100, le=1_000_000)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=DESCRIPTION), PRINTABLE]
Status = Literal["open", "accepted", "done", "withdrawn", "expired"]


class ProposalPayload(Payload):
    """What is known of a need so far. `service_id`: chosen already, so that only the price is asked for."""

    description: Annotated[str, StringConstraints(max_length=DESCRIPTION), PRINTABLE] = ""
    service_id: Annotated[str, StringConstraints(max_length=80), ONE_LINE] | None = None
    hours: Hours = 2
    place: CoarsePlacePayload | None = None


class NeedPayload(Payload):
    """A job to be done. `angel`: the handle of the one who is asked; without it, everybody near is."""

    title: Annotated[str, StringConstraints(min_length=3, max_length=TITLE), ONE_LINE]
    description: Words
    service_id: Annotated[str, StringConstraints(min_length=1, max_length=80), ONE_LINE]
    wanted_from: Annotated[date, Field(strict=False)]
    wanted_until: Annotated[date, Field(strict=False)]
    time_note: Annotated[str, StringConstraints(max_length=NOTE), ONE_LINE] = ""
    hours: Hours = 2
    budget_cents: JobCents | None = None
    place: CoarsePlacePayload
    angel: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE] | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.wanted_until < self.wanted_from:
            raise ValueError("ends before it begins")
        return self


class NeedOfferPayload(Payload):
    """What one would do a need for."""

    price_cents: Annotated[int, Field(ge=0, le=1_000_000)]
    message: Annotated[str, StringConstraints(min_length=1, max_length=MESSAGE), PRINTABLE]


class AcceptancePayload(Payload):
    """The offer that is taken."""

    offer_id: Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]


class CompletionPayload(Payload):
    """How it went; the rating may be left out."""

    rating: Annotated[int, Field(ge=1, le=5)] | None = None
    review: Annotated[str, StringConstraints(max_length=REVIEW), PRINTABLE] = ""


class ProposalData(Answer):
    """What is proposed for a need, from the words, the angels and the jobs there are.

    `service_id` is null when the words do not tell. Rates are cents an hour, the middle half of what `angels` ask and
    of what was paid for `jobs` (0 while they are too few to be told); totals are those for the hours. `nearby`: all of
    it is from within 25 miles. They are null when nothing is known.
    """

    service_id: str | None
    sure: bool
    low_rate_cents: int | None
    high_rate_cents: int | None
    low_cents: int | None
    high_cents: int | None
    angels: int
    nearby: bool
    jobs: int


class ProposalAnswer(Answer):
    """POST /api/need-proposals."""

    success: bool
    data: ProposalData


class NeedPersonAnswer(Answer):
    """A neighbour, as far as they show themselves; `handle` is null for who hides their profile."""

    handle: str | None
    name: str
    photo_url: str = Field(alias="photoURL")


class NeedAnswer(Answer):
    """A need. `miles` from the viewer's own place as an angel; `mine` and `asks_me` say what the viewer is to it."""

    id: str
    service_id: str
    service_title: str
    title: str
    description: str
    wanted_from: str
    wanted_until: str
    time_note: str
    hours: float
    budget_cents: int | None
    low_cents: int | None
    high_cents: int | None
    city: str
    region: str
    miles: int | None
    status: Status
    expires_at: str
    created_at: str
    mine: bool
    asks_me: bool
    asked: NeedPersonAnswer | None
    neighbour: NeedPersonAnswer | None
    offers: int
    photos: list[str]
    rating: int | None
    review: str


class NeedOfferAnswer(Answer):
    """An offer, as the need's owner sees it."""

    id: str
    price_cents: int
    message: str
    created_at: str
    accepted: bool
    angel: NeedPersonAnswer | None
    miles: int | None
    jobs: int
    rating: float | None
    ratings: int


class OwnNeedOfferAnswer(Answer):
    """One's own offer. `outcome`: open, accepted, declined (somebody else's was taken), closed or withdrawn."""

    id: str
    price_cents: int
    message: str
    created_at: str
    outcome: Literal["open", "accepted", "declined", "closed", "withdrawn"]
    need: NeedAnswer | None


class NeedData(Answer):
    """A need with what belongs to it for the viewer: all offers for its owner, for others their own."""

    need: NeedAnswer
    offers: list[NeedOfferAnswer]
    own_offer: OwnNeedOfferAnswer | None


class NeedPage(Answer):
    """GET /api/needs/{needId} and every change of a need."""

    success: bool
    data: NeedData


class NeedsData(Answer):
    """Needs, the newest first."""

    needs: list[NeedAnswer]
    next_cursor: str | None


class NeedsAnswer(Answer):
    """Lists of needs."""

    success: bool
    data: NeedsData


class NeedOffersData(Answer):
    """One's own offers, the newest first."""

    offers: list[OwnNeedOfferAnswer]
    next_cursor: str | None


class NeedOffersAnswer(Answer):
    """GET /api/offers."""

    success: bool
    data: NeedOffersData
