"""The home page's call on the wire (SPEC 7.2)."""

from __future__ import annotations

from sites.guru import GuruAnswer
from sites.posts.schemas import PostCard
from sites.services.schemas import ServiceAnswer
from sites.stats.queries import StatsAnswer
from tenants.kit.schemas import Answer


class HomeAnswer(Answer):
    """A guru, their newest posts, services and numbers."""

    success: bool
    guru: GuruAnswer
    featured_posts: list[PostCard]
    services: list[ServiceAnswer]
    stats: StatsAnswer
    message: str
