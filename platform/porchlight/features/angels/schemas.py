"""Request and response bodies of Angel's List (SPEC 3)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from porchlight.features.angels.rules import MAX_RATE_CENTS, MIN_RATE_CENTS
from porchlight.geo.schemas import MatchedPlace
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel, field_error

MAX_ABOUT_CHARACTERS, MAX_PLACE_CHARACTERS = 600, 120
Cents = Annotated[int, Field(ge=MIN_RATE_CENTS, le=MAX_RATE_CENTS)]
Day = Annotated[int, Field(ge=1, le=7)]


class CityResponse(ResponseModel):
    """The providers, average price and rating of a service in one city."""

    city: str
    providers: int
    avg_price: float
    rating: float | None


class AngelServiceResponse(ResponseModel):
    """A service of local help. `avgPrice` is in dollars per hour, `providers` is the number of angels.

    `city` is the city with the most angels. `rating` is the average of the angels' ratings, null without ratings.
    """

    id: str
    title: str
    description: str
    avg_price: float
    providers: int
    rating: float | None
    city: str
    category: str
    cities: list[CityResponse]


class AngelsData(ResponseModel):
    """The services that match the filters, and all values of the filters."""

    services: list[AngelServiceResponse]
    cities: list[str]
    categories: list[str]


class AngelsResponse(ResponseModel):
    """GET /api/angels."""

    success: bool
    data: AngelsData


class ReviewResponse(ResponseModel):
    """A review of a job of `hours`. `words` may be empty; `author` is a first name, or ""."""

    id: str
    service: str
    hours: float
    rating: int
    words: str
    date: str
    author: str


class AngelResponse(ResponseModel):
    """A user who offers a service. `miles` is the distance from the requested place, null without one.

    `days` are ISO weekdays. `rating` is null without ratings. `answerMinutes` is the usual time to an answer, null
    if it is not known. `review` is the newest one with words for this service. `premium`: the angel has this plan.
    """

    handle: str
    name: str
    photo_url: str = Field(alias="photoURL")
    about: str
    rate_cents: int
    days: list[int]
    radius_miles: int
    city: str
    region: str
    miles: int | None
    jobs: int
    rating: float | None
    ratings: int
    answer_minutes: int | None
    review: ReviewResponse | None
    mine: bool
    premium: bool


class ServiceAngelsData(ResponseModel):
    """The angels of a service, the nearest first, then the best rated. `place`: the meaning of `near`, null without."""

    service: AngelServiceResponse
    angels: list[AngelResponse]
    next_cursor: str | None
    place: MatchedPlace | None


class ServiceAngelsResponse(ResponseModel):
    """GET /api/angels/{serviceId}."""

    success: bool
    data: ServiceAngelsData


class AngelWorkResponse(ResponseModel):
    """A service that a user helps with. `rating` is null without ratings."""

    service_id: str
    title: str
    rate_cents: int
    jobs: int
    rating: float | None
    ratings: int


class ReviewsData(ResponseModel):
    """The services a user helps with, the most jobs first, and the reviews, the newest first.

    `answerMinutes` is the usual time to an answer, null if it is not known.
    """

    services: list[AngelWorkResponse]
    answer_minutes: int | None
    reviews: list[ReviewResponse]
    next_cursor: str | None


class ReviewsResponse(ResponseModel):
    """GET /api/users/{handle}/reviews."""

    success: bool
    data: ReviewsData


class CoarsePlacePayload(Payload):
    """A place by name or by point. Only the obfuscated location is stored."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_PLACE_CHARACTERS), ONE_LINE] | None = None
    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)] | None = None
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)] | None = None

    @model_validator(mode="after")
    def _check_one_form(self) -> Self:
        has_point = self.latitude is not None and self.longitude is not None
        if has_point == (self.text is not None) or (self.latitude is None) != (self.longitude is None):
            raise field_error("text", "Enter a town or ZIP code, or share your location.")
        return self


class AngelPayload(Payload):
    """An offer to help with a service. Without a place, the stored location stays."""

    rate_cents: Cents
    about: Annotated[str, StringConstraints(max_length=MAX_ABOUT_CHARACTERS), PRINTABLE] = ""
    days: Annotated[list[Day], Field(min_length=1, max_length=7)]
    radius_miles: Annotated[int, Field(ge=1, le=50)]
    mails_a_day: Annotated[int, Field(ge=0, le=20)] = 5
    place: CoarsePlacePayload | None = None
    active: bool = True


class OwnAngelResponse(ResponseModel):
    """A service that the user offers, as the user sees it."""

    service_id: str
    title: str
    rate_cents: int
    about: str
    days: list[int]
    radius_miles: int
    mails_a_day: int
    city: str
    region: str
    active: bool
    jobs: int
    rating: float | None
    ratings: int


class OwnAngelData(ResponseModel):
    """The services that the user offers. `public` is false if other users cannot see them (hidden profile)."""

    services: list[OwnAngelResponse]
    public: bool


class OwnAngelsResponse(ResponseModel):
    """GET /api/angel-services and every change to it."""

    success: bool
    data: OwnAngelData
