"""The front page on the wire."""

from __future__ import annotations

from sites.guru import ThemeAnswer
from tenants.kit.schemas import Answer


class FrontGuru(Answer):
    """A guru whose site lives. `url` is that site."""

    subdomain: str
    character: str
    category: str
    tagline: str
    url: str
    theme: ThemeAnswer


class FrontPostGuru(Answer):
    """Who wrote it."""

    character: str
    subdomain: str


class FrontPost(Answer):
    """The newest post of a guru. `published_at` is ISO 8601 in UTC."""

    title: str
    excerpt: str
    url: str
    guru: FrontPostGuru
    published_at: str
    read_time: str


class Front(Answer):
    """Gurus by their latest sign of life, and their newest posts."""

    gurus: list[FrontGuru]
    posts: list[FrontPost]


class FrontAnswer(Answer):
    """The answer of GET /api/home."""

    success: bool
    data: Front
