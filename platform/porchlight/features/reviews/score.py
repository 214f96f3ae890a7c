"""The score by which lists order gurus. People never see it: they see the plain average (docs/reviews.md).

It is a mean of stars, each with a weight, drawn to the mean of the guru's category while there are few. Reviews of
accounts that write from one network address count together as much as the one of them that counts most: fifty accounts
of one device are one neighbor. Pure functions: no database and no clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sites.reviews.ratings import MAX_STARS, UNRATED_SCORE

# Fifty new accounts of one device must move the score by less than 0.05. Together they weigh as much as one of them,
# w = WITHOUT_CHECK_IN * NEW_ACCOUNT, and move a guru without reviews most: one star by
# w * (GREATEST_MEAN - 1) / (PRIOR_WEIGHT + w), five stars by w * (5 - LEAST_MEAN) / (PRIOR_WEIGHT + w).
# With 12 and 0.25, w is 0.15: 0.044 and 0.019; five stars of accounts that the guru checked in move it by 0.031. With 8
# and 0.5, one star would move it by 0.13, and with 1.5 for all linked accounts together by 0.57.
PRIOR_WEIGHT = 12.0  # so many reviews of the category's mean are added
LEAST_MEAN, GREATEST_MEAN = 3.5, 4.6
WITHOUT_CHECK_IN = 0.6
NEW_ACCOUNT = 0.25
NEW_ACCOUNT_AGE = timedelta(days=30)
REPEATED = 0.25  # of the next older review of the same person, each time


@dataclass(frozen=True, slots=True)
class CountedReview:
    """A review as it counts. `links`: what it shares with others of the same device.

    `account_since` is None if the account was deleted: it counts as new, and deleted accounts are linked.
    """

    person_id: UUID
    stars: int
    written_at: datetime
    is_checked_in: bool
    account_since: datetime | None
    links: frozenset[bytes]


def category_mean(histogram: Sequence[int]) -> float:
    """Return the mean of a category's stars within bounds; that of a guru without reviews if there are none."""
    count = sum(histogram)
    if not count:
        return UNRATED_SCORE
    mean = sum(stars * number for stars, number in enumerate(histogram, start=1)) / count
    return min(max(mean, LEAST_MEAN), GREATEST_MEAN)


def score(reviews: Sequence[CountedReview], mean: float) -> float:
    """Return the score of a guru, 1 to 5. `mean` is that of the category."""
    total, weighted = PRIOR_WEIGHT, PRIOR_WEIGHT * mean
    for group in _linked(reviews):
        by_person: dict[UUID, list[tuple[float, int]]] = defaultdict(list)
        for review, weight in _weights(group):
            by_person[review.person_id].append((weight, review.stars))
        weights = [sum(weight for weight, _ in own) for own in by_person.values()]
        share = max(weights) / sum(weights)
        total += max(weights)
        weighted += share * sum(weight * stars for own in by_person.values() for weight, stars in own)
    return weighted / total


def histogram_of(stars: Iterable[int]) -> list[int]:
    """Return the number of reviews with 1 to 5 stars."""
    counts = [0] * MAX_STARS
    for one in stars:
        counts[one - 1] += 1
    return counts


def _weights(reviews: Sequence[CountedReview]) -> list[tuple[CountedReview, float]]:
    """Return each review with its weight. The newest of a person counts most."""
    written: dict[UUID, int] = defaultdict(int)
    found = []
    for review in sorted(reviews, key=lambda one: one.written_at, reverse=True):
        weight = REPEATED ** written[review.person_id]
        written[review.person_id] += 1
        if not review.is_checked_in:
            weight *= WITHOUT_CHECK_IN
        if review.account_since is None or review.written_at - review.account_since < NEW_ACCOUNT_AGE:
            weight *= NEW_ACCOUNT
        found.append((review, weight))
    return found


def _linked(reviews: Sequence[CountedReview]) -> list[list[CountedReview]]:
    """Return the reviews in groups that share a person or a link, also by way of others."""
    leader: dict[object, object] = {}

    def find(key: object) -> object:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for review in reviews:
        keys: list[object] = [*review.links, *([] if review.account_since else ["deleted"])]
        for key in keys:
            leader[find(key)] = find(review.person_id)
    groups: dict[object, list[CountedReview]] = defaultdict(list)
    for review in reviews:
        groups[find(review.person_id)].append(review)
    return list(groups.values())
