"""The schemas of reviews on guru sites."""

from __future__ import annotations

from sites.reviews.ratings import Rating
from tenants.kit.schemas import ResponseModel


class PublicReview(ResponseModel):
    """A review of a session, as anybody sees it. `author` is a first name, or "" for a neighbor without one.

    `reply` is the guru's, "" without one. A review that staff removed has no stars and words, and `removedWhy`, the
    reason.
    """

    id: str
    stars: int | None
    body: str
    author: str
    service: str
    date: str
    reply: str
    removed_why: str


class ServiceRating(ResponseModel):
    """The rating of a service."""

    service_id: str
    name: str
    rating: Rating


class SiteReviews(ResponseModel):
    """The reviews on a guru's home and services: the rating of all sessions and by service, the newest with words."""

    rating: Rating | None
    services: dict[str, Rating]
    newest: list[PublicReview]


class SiteReviewsResponse(ResponseModel):
    """A page of a guru's reviews, the newest first. `counts`: the number of reviews with 1 to 5 stars."""

    success: bool
    rating: Rating | None
    counts: list[int]
    services: list[ServiceRating]
    reviews: list[PublicReview]
    next_cursor: str | None
    message: str
