"""Which words of a search and a result are the same, and which pages answer a search."""

from __future__ import annotations

import pytest

from porchlight.embeddings.named_things import named_things
from porchlight.features.search.relevance import FoundItem, answers_and_related
from porchlight.features.search.shared_words import share_a_word
from tests.porchlight.search.found_items import found_item


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("baking", "How to bake bread"),
        ("bake", "Baking with rye"),
        ("knives", "A knife, and other knives"),
        ("swimmers", "Swimming for adults"),
        ("guitr lessons", "Acoustic guitar"),
        ("gutiar", "Acoustic guitar"),
        ("photogaphy", "Photography"),
        ("creme brulee", "Crème brûlée"),
        ("編み物", "初心者のための編み物教室"),
        ("c#", "C# for beginners"),
        ("learn to teach", "anything"),
    ],
)
def test_forms_and_typos_of_a_word_are_shared(search: str, text: str) -> None:
    assert share_a_word(search, text)


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("organ", "Organize your closet"),
        ("past", "Make your own paste"),
        ("ukulele", "Crème brûlée"),
        ("learn to sew", "Learn to saw wood"),
        ("falconry classes", "Cooking classes for families"),
        ("learning falconry", "Learn to cook"),
        ("c#", "C++ for beginners"),
        ("編み物", "料理教室"),
        ("babysitter", "The Scam Call, and What to Say to it"),
        ("piano", "The only three knives"),
    ],
)
def test_other_words_are_not_shared(search: str, text: str) -> None:
    assert not share_a_word(search, text)


def _row(kind: str, probability: float, title: str, summary: str = "") -> FoundItem:
    return found_item(kind=kind, item=title, title=title, summary=summary, probability=probability)


@pytest.mark.parametrize(
    ("search", "row"),
    [
        ("babysitter", _row("post", 0.55, "The Scam Call, and What to Say", "A call about your family.")),
        ("portuguese", _row("post", 0.51, "Two Verbs Without Tears", "Two verbs.")),
        ("falconry", _row("angel", 0.45, "Pet Sitting", "Someone feeds your pets.")),
        ("swim", _row("guru", 0.3, "Garden Guru", "Plants.")),
    ],
)
def test_page_that_is_near_by_chance_is_not_shown(search: str, row: FoundItem) -> None:
    assert answers_and_related(search, [row]) == ([], [])


@pytest.mark.parametrize(("search", "title"), [("ukulele", "Crème brûlée"), ("learn to sew", "Learn to saw wood")])
def test_similar_spelling_alone_is_no_answer(search: str, title: str) -> None:
    assert answers_and_related(search, [_row("offer", 0.5, title)], has_meaning=False) == ([], [])


def test_page_that_is_clearly_meant_is_an_answer() -> None:
    row = _row("guru", 0.9, "Coach Guru", "Short sessions, and knees that like stairs.")
    assert answers_and_related("get stronger", [row]) == ([row], [])


@pytest.mark.parametrize("said", ["c sharp", "C Sharp", "csharp", "c-sharp"])
def test_spoken_name_is_the_written_one(said: str) -> None:
    names = named_things()
    assert names.expand(said) == "c#"
    assert names.names(names.expand(said)) == {"programming": {"c#"}}
    assert names.are_different(said, "C++ for beginners")
    assert not names.are_different(said, "C# for beginners")
    assert names.spell("a sharp chisel") == "a sharp chisel"
