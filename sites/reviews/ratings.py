"""The average that people see: the plain mean of all stars. The score by which lists are ordered is another number."""

from __future__ import annotations

from collections.abc import Sequence

from tenants.kit.schemas import ResponseModel

MAX_STARS = 5
# The score of a guru without reviews in lists: neither praise nor blame.
UNRATED_SCORE = 4.0


class Rating(ResponseModel):
    """The average of all stars, 1 to 5 with one decimal, and the number of reviews."""

    average: float
    reviews: int


def rating_of(histogram: Sequence[int] | None) -> Rating | None:
    """Return the rating of a histogram, the number of reviews with 1 to 5 stars. None without a review."""
    if histogram is None or not (count := sum(histogram)):
        return None
    total = sum(stars * number for stars, number in enumerate(histogram, start=1))
    return Rating(average=round(total / count, 1), reviews=count)
