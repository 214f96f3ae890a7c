"""Angel's List on the wire (SPEC 3): kinds of help, and the angels for each."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

ABOUT, PLACE = 600, 120  # characters at most
Cents = Annotated[int, Field(ge=100, le=50_000)]
Day = Annotated[int, Field(ge=1, le=7)]


class CityAnswer(Answer):
    """The same counts for one city."""

    city: str
    providers: int
    avg_price: float
    rating: float | None


class AngelServiceAnswer(Answer):
    """A kind of local help. `avgPrice` is in dollars an hour, `providers` counts the angels, `rating` is theirs.

    `city` is where most of them are; `rating` is null until somebody was rated.
    """

    id: str
    title: str
    description: str
    avg_price: float
    providers: int
    rating: float | None
    city: str
    category: str
    cities: list[CityAnswer]


class AngelsData(Answer):
    """The services the filters let through, and all that there is to filter by."""

    services: list[AngelServiceAnswer]
    cities: list[str]
    categories: list[str]


class AngelsAnswer(Answer):
    """GET /api/angels."""

    success: bool
    data: AngelsData


class AngelAnswer(Answer):
    """A neighbour who helps. `miles` is from the place that was asked for, in whole miles; null without one.

    `days` of the week count from 1, Monday. `rating` is null until somebody rated them.
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
    mine: bool


class ServiceAngelsData(Answer):
    """The angels for one kind of help, the nearest first, then the best rated."""

    service: AngelServiceAnswer
    angels: list[AngelAnswer]
    next_cursor: str | None


class ServiceAngelsAnswer(Answer):
    """GET /api/angels/{serviceId}."""

    success: bool
    data: ServiceAngelsData


class CoarsePlacePayload(Payload):
    """A place by its name or by a point; of the point only its coarse cell is kept."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=PLACE), ONE_LINE] | None = None
    latitude: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)] | None = None
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        pointed = self.latitude is not None and self.longitude is not None
        if pointed == (self.text is not None) or (self.latitude is None) != (self.longitude is None):
            raise ValueError("is a text, or a latitude and a longitude")
        return self


class AngelPayload(Payload):
    """How one helps with one kind of thing. Without a place, the one that is known stays."""

    rate_cents: Cents
    about: Annotated[str, StringConstraints(max_length=ABOUT), PRINTABLE] = ""
    days: Annotated[list[Day], Field(min_length=1, max_length=7)]
    radius_miles: Annotated[int, Field(ge=1, le=50)]
    mails_a_day: Annotated[int, Field(ge=0, le=20)] = 5
    place: CoarsePlacePayload | None = None
    active: bool = True


class OwnAngelAnswer(Answer):
    """How one helps with one kind of thing, as one sees it oneself."""

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


class OwnAngelData(Answer):
    """Everything one helps with. `public` false: others cannot see it, because the profile is hidden."""

    services: list[OwnAngelAnswer]
    public: bool


class OwnAngelsAnswer(Answer):
    """The calls about one's own help."""

    success: bool
    data: OwnAngelData
