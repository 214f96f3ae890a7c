"""Request and response bodies of needs and offers. Prices are in cents for the whole job; days are ISO dates."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from porchlight.features.angels.schemas import CoarsePlacePayload
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel, field_error

MAX_TITLE_CHARACTERS, MAX_NOTE_CHARACTERS = 120, 200
MAX_DESCRIPTION_CHARACTERS, MAX_MESSAGE_CHARACTERS, MAX_REVIEW_CHARACTERS = 2000, 1000, 600
Hours = Annotated[float, Field(ge=0.5, le=80, multiple_of=0.5, allow_inf_nan=False)]
JobCents = Annotated[int, Field(ge=100, le=1_000_000)]
Description = Annotated[str, StringConstraints(min_length=1, max_length=MAX_DESCRIPTION_CHARACTERS), PRINTABLE]
Status = Literal["open", "accepted", "done", "withdrawn", "expired"]


class ProposalPayload(Payload):
    """The draft of a need. With `service_id`, the service is not guessed."""

    description: Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION_CHARACTERS), PRINTABLE] = ""
    service_id: Annotated[str, StringConstraints(max_length=80), ONE_LINE] | None = None
    hours: Hours = 2
    place: CoarsePlacePayload | None = None


class NeedPayload(Payload):
    """A need. `angel` is the handle of the only angel who may offer; without it, all nearby angels may."""

    title: Annotated[str, StringConstraints(min_length=3, max_length=MAX_TITLE_CHARACTERS), ONE_LINE]
    description: Description
    service_id: Annotated[str, StringConstraints(min_length=1, max_length=80), ONE_LINE]
    wanted_from: Annotated[date, Field(strict=False)]
    wanted_until: Annotated[date, Field(strict=False)]
    time_note: Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS), ONE_LINE] = ""
    hours: Hours = 2
    budget_cents: JobCents | None = None
    place: CoarsePlacePayload
    angel: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE] | None = None

    @model_validator(mode="after")
    def _check_days(self) -> Self:
        if self.wanted_until < self.wanted_from:
            raise field_error("wantedUntil", "The last day can't be before the first.")
        return self


class NeedOfferPayload(Payload):
    """An offer for a need."""

    price_cents: Annotated[int, Field(ge=0, le=1_000_000)]
    message: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MESSAGE_CHARACTERS), PRINTABLE]


class AcceptancePayload(Payload):
    """The offer to accept."""

    offer_id: Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]


class CompletionPayload(Payload):
    """The optional rating and review of a completed need."""

    rating: Annotated[int, Field(ge=1, le=5)] | None = None
    review: Annotated[str, StringConstraints(max_length=MAX_REVIEW_CHARACTERS), PRINTABLE] = ""


class ProposalData(ResponseModel):
    """The guessed service and the fair price of a need.

    `service_id` is null without a match. Rates are cents per hour: the middle half of the rates of `angels` angels and
    the prices of `jobs` paid jobs (0 if too few). Totals are for the hours. Rates and totals are null without data.
    `nearby`: all data is from within 25 miles.
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


class ProposalResponse(ResponseModel):
    """POST /api/need-proposals."""

    success: bool
    data: ProposalData


class NeedPersonResponse(ResponseModel):
    """A user's public name and photo. `handle` is null for a hidden profile."""

    handle: str | None
    name: str
    photo_url: str = Field(alias="photoURL")


class NeedResponse(ResponseModel):
    """A need. `miles` is the distance from the viewer's location as an angel. `mine`: the viewer's own need.

    `asks_me`: the viewer is the only angel who may offer.
    """

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
    asked: NeedPersonResponse | None
    neighbor: NeedPersonResponse | None = Field(alias="neighbour")  # the wire name has British spelling
    offers: int
    photos: list[str]
    rating: int | None
    review: str


class NeedOfferResponse(ResponseModel):
    """An offer, as the owner of the need sees it."""

    id: str
    price_cents: int
    message: str
    created_at: str
    accepted: bool
    angel: NeedPersonResponse | None
    miles: int | None
    jobs: int
    rating: float | None
    ratings: int


class OwnNeedOfferResponse(ResponseModel):
    """An offer of the user. `outcome` is declined after another offer was accepted."""

    id: str
    price_cents: int
    message: str
    created_at: str
    outcome: Literal["open", "accepted", "declined", "closed", "withdrawn"]
    need: NeedResponse | None


class NeedData(ResponseModel):
    """A need with its offers: all for its owner, otherwise only the viewer's own."""

    need: NeedResponse
    offers: list[NeedOfferResponse]
    own_offer: OwnNeedOfferResponse | None


class NeedPage(ResponseModel):
    """GET /api/needs/{needId} and every change of a need."""

    success: bool
    data: NeedData


class NeedsData(ResponseModel):
    """Needs, newest first."""

    needs: list[NeedResponse]
    next_cursor: str | None


class NeedsResponse(ResponseModel):
    """GET /api/needs and GET /api/own-needs."""

    success: bool
    data: NeedsData


class NeedOffersData(ResponseModel):
    """The user's offers, newest first."""

    offers: list[OwnNeedOfferResponse]
    next_cursor: str | None


class NeedOffersResponse(ResponseModel):
    """GET /api/need-offers."""

    success: bool
    data: NeedOffersData
