"""Request and response bodies of reviews. Times are UTC."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from sites.reviews.ratings import Rating
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

MAX_WORDS_CHARACTERS = 2000
Words = Annotated[str, StringConstraints(max_length=MAX_WORDS_CHARACTERS), PRINTABLE]
Stars = Annotated[int, Field(ge=1, le=5)]


class GuruReviewPayload(Payload):
    """The guru's review of a person."""

    stars: Stars
    body: Words = ""


class SessionReviewPayload(GuruReviewPayload):
    """A person's review of a session. Only the guru reads `private_note`, once the review is revealed."""

    private_note: Words = ""


class ReplyPayload(Payload):
    """The reply of the side that was reviewed. It replaces an earlier one; "" takes it back."""

    body: Words


class RemovalPayload(Payload):
    """The reason of staff, which everyone reads in place of the review."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=300), PRINTABLE]


class OwnReview(ResponseModel):
    """A review that the reader wrote. `hidden` until `reveals_at`, or until the other side has written, too."""

    stars: int
    body: str
    private_note: str
    hidden: bool
    reveals_at: str
    reply: str
    removed_why: str


class ReceivedReview(ResponseModel):
    """A revealed review about the reader. `reply` is the reader's."""

    id: str
    stars: int
    body: str
    private_note: str
    revealed_at: str
    reply: str
    removed_why: str


class SessionReviews(ResponseModel):
    """The reviews of a session as one side sees them.

    `can_write`: the side can write or change its review now, until `open_until`. `reason` says why not, "" if nothing
    needs to be said. `received` is null while that of the other side is hidden, and if there is none: no answer tells
    one from the other.
    """

    booking_id: str
    can_write: bool
    reason: str
    open_until: str
    own: OwnReview | None
    received: ReceivedReview | None


class SessionReviewsResponse(ResponseModel):
    """The reviews of a session."""

    success: bool
    data: SessionReviews


class DueReview(ResponseModel):
    """A session that the reader can review. `name` is that of the guru, or of the person."""

    booking_id: str
    name: str
    service_name: str
    starts_at: str
    zone: str
    missed: bool
    open_until: str


class DueReviews(ResponseModel):
    """The sessions to review, the latest first."""

    sessions: list[DueReview]


class DueReviewsResponse(ResponseModel):
    """The sessions to review."""

    success: bool
    data: DueReviews


class GuruReview(ReceivedReview):
    """A review in the guru's console, with the session and the guru's own review of it."""

    booking_id: str
    author: str
    service_name: str
    starts_at: str
    zone: str
    own: OwnReview | None


class GuruReviews(ResponseModel):
    """A page of the reviews about a guru, the latest first. `rating` and `counts` are those that visitors see."""

    rating: Rating | None
    counts: list[int]
    reviews: list[GuruReview]
    next_cursor: str | None


class GuruReviewsResponse(ResponseModel):
    """A page of the reviews about a guru."""

    success: bool
    data: GuruReviews


class NeighborReview(ResponseModel):
    """A guru's review of a neighbor. `reply` is the neighbor's."""

    id: str
    stars: int
    body: str
    guru_name: str
    service_name: str
    date: str
    reply: str


class NeighborReviews(ResponseModel):
    """The reviews by gurus of the person of a booking, the newest first; the rating counts all of them."""

    rating: Rating | None
    reviews: list[NeighborReview]


class NeighborReviewsResponse(ResponseModel):
    """The reviews by gurus of the person of a booking."""

    success: bool
    data: NeighborReviews
