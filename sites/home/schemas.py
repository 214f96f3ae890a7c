"""The schema of the home page (SPEC 7.2)."""

from __future__ import annotations

from sites.gallery.schemas import GalleryResponse
from sites.guru import GuruResponse
from sites.posts.schemas import PostCard
from sites.reviews.schemas import SiteReviews
from sites.services.schemas import ServiceResponse
from sites.stats.queries import FactsResponse, StatsResponse
from tenants.kit.schemas import ResponseModel


class HomeResponse(ResponseModel):
    """A guru, their newest posts, pictures, services, numbers, and what visitors weigh."""

    success: bool
    guru: GuruResponse
    featured_posts: list[PostCard]
    gallery: GalleryResponse
    services: list[ServiceResponse]
    stats: StatsResponse
    facts: FactsResponse
    reviews: SiteReviews
    message: str
