"""Response bodies of the reviews in the admin area."""

from __future__ import annotations

from porchlight.features.reviews.rules import Side
from tenants.kit.schemas import ResponseModel


class StaffReview(ResponseModel):
    """A published review. `side`: the person wrote about the guru, or the guru about the person.

    `guru` is the guru's label. `removedWhy` is the reason of staff, "" while the review is public.
    """

    id: str
    guru: str
    guru_name: str
    side: Side
    service_name: str
    stars: int
    body: str
    reply: str
    published_at: str
    removed_why: str


class StaffReviewPage(ResponseModel):
    """A page of reviews, the newest first."""

    items: list[StaffReview]
    next_cursor: str | None


class StaffReviewsResponse(ResponseModel):
    """A page of reviews."""

    success: bool
    data: StaffReviewPage


class StaffReviewResponse(ResponseModel):
    """A review."""

    success: bool
    data: StaffReview
