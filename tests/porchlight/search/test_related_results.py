"""Which results answer a search, and which are shown below as related."""

from __future__ import annotations

import pytest

from porchlight.features.search.categories import nearest_category
from porchlight.features.search.relevance import FoundItem, SharedEvidence, answers_and_related, evidence_of
from porchlight.features.search.rules import MAX_RELATED
from tests.porchlight.search.found_items import found_item


def row(kind: str, probability: float, title: str = "") -> FoundItem:
    """Return a row of app.search, of which only the kind, the title and the probability count."""
    return found_item(kind=kind, item=f"{kind}-{probability}", title=title, probability=probability)


@pytest.mark.parametrize(
    ("words", "found", "answers", "related"),
    [
        # A baker and a post about bread; cleaning services and a post about lunch have no word of it.
        ("bread", [("offer", 0.95), ("post", 0.67, "Bread"), ("angel", 0.32), ("post", 0.23)], [0.95, 0.67], []),
        # A pianist, and everything for beginners.
        ("piano teacher", [("offer", 0.95), ("post", 0.13), ("post", 0.09), ("guru", 0.09)], [0.95], []),
        # A long search may be a paraphrase that is far from all listings, a word is none.
        ("make my own loaf at home", [("offer", 0.08), ("post", 0.07), ("angel", 0.07)], [], [0.08]),
        ("loaf", [("offer", 0.08)], [], []),
        ("make my own loaf at home", [("offer", 0.04), ("post", 0.07)], [], []),
        # By meaning alone, only what is very near; help with a word of the search is found from 40 % on.
        ("loaf", [("angel", 0.9), ("angel", 0.8), ("guru", 0.81), ("guru", 0.75), ("post", 0.89)], [0.9, 0.81], []),
        ("bread", [("angel", 0.41, "Bread"), ("angel", 0.39, "Bread rolls")], [0.41], []),
        # One of two words in the title is little; in the tags that no visitor sees, it is less.
        ("rye bread", [("post", 0.76, "Bread"), ("post", 0.74, "Bread knives")], [0.76], [0.74]),
        # The category is the same: less of the meaning is enough.
        ("yoga", [("guru", 0.71, "Pilates and running"), ("guru", 0.72, "Guitar")], [0.71], []),
        ("bread", [("angel", 0.32), ("post", 0.3)], [], []),
        ("bread", [("offer", 0.9), *[("offer", 0.2)] * 9], [0.9], [0.2] * MAX_RELATED),
        ("bread", [], [], []),
    ],
)
def test_weak_results_are_related_or_dropped(
    words: str, found: list[tuple[str, float, str]], answers: list[float], related: list[float]
) -> None:
    first, rest = answers_and_related(words, [row(*values) for values in found])
    assert [hit.probability for hit in first] == answers
    assert [hit.probability for hit in rest] == related


@pytest.mark.parametrize(
    ("words", "text", "evidence"),
    [
        ("rye bread", "Rye and sourdough bread", SharedEvidence.ALL_WORDS),
        ("rye bread", "Bread knives", SharedEvidence.SEEN_WORD),
        ("learn to teach", "Anything", SharedEvidence.ALL_WORDS),
        ("yoga", "Pilates", SharedEvidence.CATEGORY),
        ("falconry", "Pilates", SharedEvidence.MEANING),
    ],
)
def test_evidence_is_the_strongest_thing_in_common(words: str, text: str, evidence: SharedEvidence) -> None:
    assert evidence_of(words, row("guru", 0.5, text)) is evidence


def test_word_of_tags_is_weaker_than_one_of_title() -> None:
    tagged = row("post", 0.5, "Wood moves")._replace(words="furniture; zebra")
    assert evidence_of("zebra falconry", tagged) is SharedEvidence.HIDDEN_WORD


def test_page_about_another_language_is_dropped() -> None:
    lunch = row("post", 0.95, "Ordering lunch")._replace(words="conversation; spanish")
    assert answers_and_related("japanese conversation", [lunch]) == ([], [])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("electrician", "Electrical"),
        ("yoga", "Health & Fitness"),
        ("resume help", "Business"),
        ("learn to sew", "Creative"),
        ("portuguese", "Language"),
        ("falconry", None),
    ],
)
def test_nearest_category_has_a_word_of_the_search(words: str, name: str | None) -> None:
    category = nearest_category(words)
    assert (category.name if category else None) == name


def test_listing_of_other_language_is_dropped() -> None:
    """The spelling of "danish" and "spanish conversation practice" is near."""
    danish, spanish = (row("offer", 0.57, f"{name} conversation practice") for name in ("Danish", "Spanish"))
    assert answers_and_related("danish conversation practice", [spanish, danish]) == ([danish], [])
    assert answers_and_related("danish conversation practice", [spanish]) == ([], [])


def test_similar_spelling_is_not_shown_below_an_answer() -> None:
    sewing, seasoning = row("offer", 0.64, "Sewing"), row("offer", 0.43, "Seasoning by taste")
    assert answers_and_related("learn to sew", [sewing, seasoning], has_meaning=False) == ([sewing], [])
