"""Response schemas of the front page."""

from __future__ import annotations

from sites.guru import ThemeResponse
from tenants.kit.schemas import ResponseModel


class FrontTime(ResponseModel):
    """A guru's main service and its price in cents; `startsAt` is its next free start, null without one.

    `zone` is the guru's IANA zone.
    """

    service: str
    price_cents: int
    currency: str
    zone: str
    starts_at: str | None


class FrontGuru(ResponseModel):
    """A guru with an active site at `url`. `next` is null for one who takes no bookings."""

    subdomain: str
    character: str
    category: str
    tagline: str
    url: str
    photo_url: str | None
    next: FrontTime | None
    theme: ThemeResponse


class FrontPostGuru(ResponseModel):
    """The author of a post."""

    character: str
    subdomain: str


class FrontPost(ResponseModel):
    """The newest post of a guru. `published_at`: ISO 8601 in UTC. `cover_url`: its picture, for a card."""

    title: str
    excerpt: str
    url: str
    guru: FrontPostGuru
    cover_url: str | None
    published_at: str
    read_time: str


class FrontNeeds(ResponseModel):
    """How many neighbors of a city need a service of Angel's List, and the first day on which one of them does."""

    service_id: str
    service: str
    city: str
    needs: int
    wanted_from: str


class FrontPageData(ResponseModel):
    """Gurus by their latest activity, their newest posts, and what neighbors need, the soonest day first."""

    gurus: list[FrontGuru]
    posts: list[FrontPost]
    needs: list[FrontNeeds]


class FrontPageResponse(ResponseModel):
    """The response of GET /api/home."""

    success: bool
    data: FrontPageData
