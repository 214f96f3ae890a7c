"""Search on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.cards import OfferRisk
from tenants.kit.schemas import ONE_LINE, Answer, Payload

WORDS = 100  # characters of a question
Kind = Literal["offer", "guru", "post", "angel"]
KINDS: tuple[Kind, ...] = ("offer", "guru", "post", "angel")
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Filters(Payload):
    """What is let through. `near` is a town ("Denver, Colorado"); `maxPriceCents` an hour, or a service's price."""

    kind: Kind | None = None
    near: Annotated[str, StringConstraints(max_length=120), ONE_LINE] = ""
    within_miles: Annotated[int, Field(ge=1, le=200)] | None = None
    max_price_cents: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    format: Literal["in_person", "online"] | None = None
    language: Annotated[str, StringConstraints(max_length=40), ONE_LINE] = ""
    day: Weekday | None = None


class SavedPayload(Filters):
    """A search to be told about."""

    q: Annotated[str, StringConstraints(min_length=2, max_length=WORDS), ONE_LINE]


class HitAnswer(Answer):
    """One thing found. `label`, `slug`: of a guru's site, a post, a service; `who`, `handle`: of an offer's neighbor.

    `picture`: a small one of what is offered, "" without; `risk`: null of what is no offer. `fit` is how likely it is
    what was meant, in percent. `miles` is null where one of the two places is unknown.
    """

    kind: Kind
    id: str
    title: str
    summary: str
    label: str
    slug: str
    who: str
    handle: str
    photo_url: str = Field(alias="photoURL")
    picture: str
    picture_alt: str
    risk: OfferRisk | None
    price_cents: int | None
    terms: list[str]
    formats: list[str]
    city: str
    miles: int | None
    fit: int


class CellAnswer(Answer):
    """A coarse cell of the map: its middle in degrees, how many hits lie in it, and its town."""

    latitude: float
    longitude: float
    hits: int
    city: str


class SearchData(Answer):
    """A page of hits, the best first. `cells` are of all that was found, `next` leads on.

    `algorithm` names what read the question; `pending`: its meaning is read just now, ask again in a second or two.
    """

    hits: list[HitAnswer]
    total: int
    cells: list[CellAnswer]
    next: str | None
    algorithm: str
    pending: bool


class SearchAnswer(Answer):
    """GET /api/search."""

    success: bool
    data: SearchData


class SavedAnswer(Answer):
    """A search that is kept."""

    id: str
    q: str
    filters: Filters
    created_at: str


class SavedData(Answer):
    """The newest first."""

    searches: list[SavedAnswer]


class SavedSearchesAnswer(Answer):
    """GET /api/search/saved and every change to it."""

    success: bool
    data: SavedData
