"""Response schemas of the front page."""

from __future__ import annotations

from sites.guru import ThemeResponse
from tenants.kit.schemas import ResponseModel


class FrontGuru(ResponseModel):
    """A guru with an active site at `url`."""

    subdomain: str
    character: str
    category: str
    tagline: str
    url: str
    theme: ThemeResponse


class FrontPostGuru(ResponseModel):
    """The author of a post."""

    character: str
    subdomain: str


class FrontPost(ResponseModel):
    """The newest post of a guru. `published_at`: ISO 8601 in UTC."""

    title: str
    excerpt: str
    url: str
    guru: FrontPostGuru
    published_at: str
    read_time: str


class FrontPageData(ResponseModel):
    """Gurus by their latest activity, and their newest posts."""

    gurus: list[FrontGuru]
    posts: list[FrontPost]


class FrontPageResponse(ResponseModel):
    """The response of GET /api/home."""

    success: bool
    data: FrontPageData
