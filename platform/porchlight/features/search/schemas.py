"""Request and response bodies of search."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.contracts import OfferRisk
from porchlight.geo.schemas import MatchedPlace
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

MAX_QUERY_CHARACTERS = 100
Kind = Literal["offer", "guru", "post", "angel"]
KINDS: tuple[Kind, ...] = ("offer", "guru", "post", "angel")
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Filters(Payload):
    """The filters of a search. `near`: a place as typed ("Denver CO", "80202"). `maxPriceCents`: per hour or job."""

    kind: Kind | None = None
    near: Annotated[str, StringConstraints(max_length=120), ONE_LINE] = ""
    within_miles: Annotated[int, Field(ge=1, le=200)] | None = None
    max_price_cents: Annotated[int, Field(ge=0, le=100_000_000)] | None = None
    format: Literal["in_person", "online"] | None = None
    language: Annotated[str, StringConstraints(max_length=40), ONE_LINE] = ""
    day: Weekday | None = None


class SavedSearchPayload(Filters):
    """A search to save."""

    q: Annotated[str, StringConstraints(min_length=2, max_length=MAX_QUERY_CHARACTERS), ONE_LINE]


class NextStart(ResponseModel):
    """The first free start of a guru's main service, in UTC. `zone`: the guru's zone; `place`: where the session is."""

    service_id: str
    starts_at: str
    zone: str
    place: Literal["guru", "person", "online", "agreed"]


class SearchHit(ResponseModel):
    """A search result.

    `label` and `slug` locate a guru's site, post or service. `who` and `handle` name the user of an
    offer. `picture` is the path of an offer's thumbnail, or "". `risk` is null except for offers. `fit` is the
    probability in percent that the result is relevant. `miles` is null if one of the locations is unknown.
    `premium`: its neighbor or guru is a Premium Angel. `related`: it does not answer the search, but may please.
    `cell`: its place in `cells`, null where no city is shown. `nextStart`: of the first gurus on a page, null without a
    free time.
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
    premium: bool
    related: bool
    cell: int | None
    next_start: NextStart | None


class MapCell(ResponseModel):
    """A cell of the map: its center in degrees, the number of hits in it, and its city."""

    latitude: float
    longitude: float
    hits: int
    city: str


class NearestCategory(ResponseModel):
    """The category of the catalog that is nearest to a search without an answer."""

    slug: str
    name: str


class SearchData(ResponseModel):
    """A page of hits, best first, then the related ones, which `total` does not count.

    `may_have_more`: beyond `total`. `cells` covers all hits. `next` is the cursor of the next page.

    `algorithm` names the method that relates the query. `pending`: the worker has not embedded the query yet; retry in
    a second or two. `place`: the meaning of the filter `near`, null without one. A distance from a place that is not
    known has no hits. `category`: where to look next, null with an answer or without a near category.
    """

    hits: list[SearchHit]
    total: int
    may_have_more: bool
    cells: list[MapCell]
    next: str | None
    algorithm: str
    pending: bool
    place: MatchedPlace | None
    category: NearestCategory | None


class SearchResponse(ResponseModel):
    """GET /api/search."""

    success: bool
    data: SearchData


class SavedFilters(ResponseModel):
    """The filters of a saved search; null or "" leaves one out."""

    kind: Kind | None
    near: str
    within_miles: int | None
    max_price_cents: int | None
    format: Literal["in_person", "online"] | None
    language: str
    day: Weekday | None


class SavedSearchResponse(ResponseModel):
    """A saved search. `place`: the meaning of its filter `near`, null without one; emails wait for a known place."""

    id: str
    q: str
    filters: SavedFilters
    created_at: str
    place: MatchedPlace | None


class SavedSearchData(ResponseModel):
    """The saved searches, newest first."""

    searches: list[SavedSearchResponse]


class SavedSearchesResponse(ResponseModel):
    """GET /api/search/saved and every change to it."""

    success: bool
    data: SavedSearchData


class NewResults(ResponseModel):
    """A saved search with results of the last 7 days: how many, and the title of the best."""

    id: str
    q: str
    filters: SavedFilters
    results: int
    first: str


class NewResultsData(ResponseModel):
    """Saved searches with new results, the newest search first."""

    searches: list[NewResults]


class NewResultsResponse(ResponseModel):
    """GET /api/search/saved/new-results."""

    success: bool
    data: NewResultsData
