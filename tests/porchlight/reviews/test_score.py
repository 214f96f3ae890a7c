"""The score by which gurus are ordered: properties, and the attack with many accounts of one device."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.reviews.score import (
    GREATEST_MEAN,
    LEAST_MEAN,
    CountedReview,
    category_mean,
    histogram_of,
    score,
)
from sites.reviews.ratings import UNRATED_SCORE, rating_of

NOW = datetime(2027, 1, 13, tzinfo=UTC)
OLD, NEW = NOW - timedelta(days=400), NOW - timedelta(days=3)
MEANS = st.floats(LEAST_MEAN, GREATEST_MEAN)


def review(number: int, stars: int = 5, **changes: Any) -> CountedReview:
    """Return a review of a neighbor with an old account who was checked in."""
    one = CountedReview(UUID(int=number), stars, NOW, True, OLD, frozenset())
    return replace(one, **changes)


@st.composite
def honest(draw: st.DrawFn, most: int = 60) -> list[CountedReview]:
    """Reviews of neighbors who share nothing."""
    given_stars = draw(st.lists(st.integers(1, 5), max_size=most))
    checked = draw(st.lists(st.booleans(), min_size=len(given_stars), max_size=len(given_stars)))
    return [
        review(number, stars, is_checked_in=is_checked_in)
        for number, (stars, is_checked_in) in enumerate(zip(given_stars, checked, strict=True), start=1)
    ]


@given(honest(), MEANS)
def test_score_stays_within_stars(reviews: list[CountedReview], mean: float) -> None:
    assert 1 <= score(reviews, mean) <= 5
    assert score([], mean) == pytest.approx(mean)


@given(honest(), MEANS)
def test_better_review_never_lowers_score(reviews: list[CountedReview], mean: float) -> None:
    assert score([*reviews, review(999)], mean) >= score(reviews, mean) - 1e-9
    assert score([*reviews, review(999, 1)], mean) <= score(reviews, mean) + 1e-9


@given(honest(), MEANS, st.sampled_from([1, 5]))
def test_fifty_fakes_of_one_device_hardly_move(reviews: list[CountedReview], mean: float, stars: int) -> None:
    device = frozenset([b"one device"])
    fakes = [review(1000 + number, stars, is_checked_in=False, account_since=NEW, links=device) for number in range(50)]
    moved = abs(score(reviews + fakes, mean) - score(reviews, mean))
    assert moved < 0.05
    assert moved == pytest.approx(abs(score([*reviews, fakes[0]], mean) - score(reviews, mean)))


@pytest.mark.parametrize(
    ("stars", "mean", "is_checked_in", "moved"),
    [(1, GREATEST_MEAN, False, -0.0444), (5, LEAST_MEAN, False, 0.0185), (5, LEAST_MEAN, True, 0.0306)],
)
def test_fakes_move_new_guru_by_known_figures(stars: int, mean: float, is_checked_in: bool, moved: float) -> None:
    links = frozenset([b"one device"])
    fakes = [review(number, stars, is_checked_in=is_checked_in, account_since=NEW, links=links) for number in range(50)]
    assert score(fakes, mean) - mean == pytest.approx(moved, abs=0.0001)


def test_reviews_without_account_count_as_one() -> None:
    fakes = [review(number, account_since=None) for number in range(50)]  # a guru who books customers of their own
    assert score(fakes, LEAST_MEAN) - LEAST_MEAN < 0.05


@given(honest(), MEANS, st.lists(st.integers(1, 5), min_size=1, max_size=30))
def test_linked_accounts_count_as_strongest(reviews: list[CountedReview], mean: float, stars: list[int]) -> None:
    links = [frozenset([b"%d" % number, b"%d" % (number + 1)]) for number in range(len(stars))]  # a chain
    linked = [review(2000 + number, one, links=links[number]) for number, one in enumerate(stars)]
    together = score(reviews + linked, mean)
    assert min(score([*reviews, review(2000, min(stars))], mean), score(reviews, mean)) - 1e-9 <= together
    assert together <= max(score([*reviews, review(2000, max(stars))], mean), score(reviews, mean)) + 1e-9


def test_repeated_reviews_count_less_and_less() -> None:
    once = score([review(1)], 4.0)
    often = score([review(1, written_at=NOW - timedelta(days=day)) for day in range(50)], 4.0)
    assert once < often < score([review(1), review(2)], 4.0)
    # The newest opinion counts most.
    older, newer = review(1, 5, written_at=NOW - timedelta(days=9)), review(1, 1)
    assert score([older, newer], 4.0) < score([replace(older, stars=1), replace(newer, stars=5)], 4.0)


@pytest.mark.parametrize("change", [{"is_checked_in": False}, {"account_since": NEW}, {"account_since": None}])
def test_unproven_review_counts_less(change: dict[str, Any]) -> None:
    assert 4.0 < score([review(1, **change)], 4.0) < score([review(1)], 4.0)


def test_deleted_accounts_count_as_one() -> None:
    gone = [review(number, account_since=None) for number in range(20)]
    assert score(gone, 4.0) == pytest.approx(score(gone[:1], 4.0))


def test_score_ignores_order() -> None:
    reviews = [review(number, 1 + number % 5, links=frozenset([b"%d" % (number // 3)])) for number in range(20)]
    assert score(reviews, 4.0) == pytest.approx(score(reviews[::-1], 4.0))


@pytest.mark.parametrize(
    ("histogram", "expected"),
    [
        ([0, 0, 0, 0, 0], UNRATED_SCORE),
        ([9, 0, 0, 0, 0], LEAST_MEAN),
        ([0, 0, 0, 0, 9], GREATEST_MEAN),
        ([0, 0, 0, 1, 1], 4.5),
    ],
)
def test_category_mean_stays_within_bounds(histogram: list[int], expected: float) -> None:
    assert category_mean(histogram) == expected


def test_average_is_plain_mean_of_all_stars() -> None:
    rating = rating_of(histogram_of([5, 5, 4, 1]))
    assert rating is not None
    assert (rating.average, rating.reviews) == (3.8, 4)
    assert rating_of([0] * 5) is None
    assert rating_of(None) is None
