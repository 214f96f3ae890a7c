"""Quality and speed of the risk engine."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from tests.bench.figures import print_figure
from tests.porchlight.risk.labeled_activities import (
    ENGINE,
    ActivitySet,
    OfferSet,
    Rated,
    rate_activities,
    rate_offers,
)

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("half", ["tuning", "held-out"])
def test_risk_rating_quality(half: ActivitySet) -> None:
    assessed = rate_activities(half)
    exact = sum(one.exact for one in assessed) / len(assessed)
    four = sum(one.assessment.rating == one.label for one in assessed) / len(assessed)
    dangerous = sum(one.dangerous for one in assessed)
    unknown = sum(not one.assessment.known for one in assessed)
    confusion = Counter((one.waiver_label, one.assessment.level) for one in assessed)
    print(
        f"\nrisk, {half}: {len(assessed)} activities, exact {exact:.3f} (floor 0.90), four levels {four:.3f}, "
        f"high rated low {dangerous} (floor 0), unknown {unknown}"
    )
    print("  " + ", ".join(f"{label} as {level}: {count}" for (label, level), count in sorted(confusion.items())))
    assert exact >= 0.9
    assert dangerous == 0


@pytest.mark.parametrize("name", ["plain-seen", "plain-unseen", "descriptions"])
def test_risk_rating_of_plain_words(name: ActivitySet) -> None:
    """Neighbors say "half my outlets are dead", not "electrician" (docs/risk.md)."""
    _print_errors(name, rate_activities(name), missed=0, over_rated=0.15)


@pytest.mark.parametrize("name", ["offers-seen", "offers-unseen"])
def test_risk_rating_of_offers(name: OfferSet) -> None:
    """Offers as gurus write them: the waiver should neither scare nor be missed."""
    _print_errors(name, rate_offers(name), missed=1, over_rated=0.12)


def _print_errors(name: str, assessed: list[Rated], *, missed: int, over_rated: float) -> None:
    dangerous = [one for one in assessed if one.waiver_label == "high"]
    milder = [one for one in assessed if one.waiver_label != "high"]
    lacking = [one for one in dangerous if one.lacks_waiver]
    unknown = sum(not one.assessment.known for one in lacking)
    scared = sum(one.over_rated for one in milder) / len(milder)
    print_figure(f"risk, {name}: high, but no waiver", len(lacking), None, "", at_most=missed,
                 note=f"of {len(dangerous)}; {unknown} await staff")  # fmt: skip
    print_figure(f"risk, {name}: over-rated", scared, None, "", at_most=over_rated, note=f"of {len(milder)}")


def test_risk_rating_speed() -> None:
    texts = [(one.category, one.activity) for one in rate_activities("tuning")]
    ENGINE.assess("", "warm")
    began = time.perf_counter()
    for category, activity in texts:
        ENGINE.assess(category, activity)
    each = (time.perf_counter() - began) / len(texts)
    print(f"\nrisk: {each * 1e6:.0f} µs an activity")
