"""Which results answer a search, and which are shown below as related."""

from __future__ import annotations

import pytest

from porchlight.features.search.queries import FoundItem, answers_and_related
from porchlight.features.search.rules import MAX_RELATED
from tests.porchlight.search.found_items import found_item


def row(kind: str, probability: float, title: str = "") -> FoundItem:
    """Return a row of app.search, of which only the kind, the title and the probability count."""
    return found_item(kind=kind, item=f"{kind}-{probability}", title=title, probability=probability)


@pytest.mark.parametrize(
    ("found", "answers", "related"),
    [
        # "bread": a baker, a post about baking; then cleaning services, and a post about lunch.
        ([("offer", 0.95), ("post", 0.67), ("angel", 0.32), ("post", 0.23), ("guru", 0.14)], [0.95, 0.67], [0.23]),
        # "piano teacher": a pianist, and everything for beginners.
        ([("offer", 0.95), ("post", 0.13), ("post", 0.09), ("guru", 0.09)], [0.95], []),
        # A paraphrase far from all listings.
        ([("offer", 0.08), ("post", 0.07), ("angel", 0.07)], [], [0.08]),
        ([("offer", 0.04), ("post", 0.07)], [], []),
        ([("angel", 0.9), ("angel", 0.61), ("angel", 0.37)], [0.9, 0.61], []),
        ([("angel", 0.32), ("post", 0.3)], [], []),
        ([("offer", 0.9), *[("offer", 0.2)] * 9], [0.9], [0.2] * MAX_RELATED),
        ([], [], []),
    ],
)
def test_weak_results_are_related_or_dropped(
    found: list[tuple[str, float]], answers: list[float], related: list[float]
) -> None:
    rows = [row(kind, probability) for kind, probability in found]
    first, rest = answers_and_related("bread", rows)
    assert [hit.probability for hit in first] == answers
    assert [hit.probability for hit in rest] == related


def test_listing_of_other_language_is_dropped() -> None:
    """The spelling of "danish" and "spanish conversation practice" is near."""
    danish, spanish = (row("offer", 0.57, f"{name} conversation practice") for name in ("Danish", "Spanish"))
    assert answers_and_related("danish conversation practice", [spanish, danish]) == ([danish], [])
    assert answers_and_related("danish conversation practice", [spanish]) == ([], [])
