"""Which results answer searches, measured on what a search of the demo found for each, judged by hand.

`data/judged_rows.json` has the rows of app.search with the probabilities of the model; `tests.record_judged_rows`
records them again when the model or the demo's texts change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from porchlight.features.search.relevance import FoundItem, answers_and_related
from tests.porchlight.search.found_items import found_item

DATA = Path(__file__).parent / "data"


class JudgedQuery(NamedTuple):
    """A search, the titles that answer it, those that may be there or not, and whether it tuned the rules."""

    words: str
    right: frozenset[str]
    either: frozenset[str]
    tunes: bool


class Figures(NamedTuple):
    """Shares from 0 to 1, and the searches without an answer that got one."""

    precision: float
    recall: float
    mistaken: list[str]


def _judged(line: str, *, tunes: bool) -> JudgedQuery:
    words, _, rest = line.partition("|")
    titles = [title.strip() for title in rest.split(";") if title.strip()]
    either = frozenset(title.removeprefix("?").strip() for title in titles if title.startswith("?"))
    return JudgedQuery(words.strip(), frozenset(titles) - {f"? {title}" for title in either}, either, tunes)


def judged_queries() -> list[JudgedQuery]:
    """Return the judged searches; of each section, every second one is held out."""
    queries: list[JudgedQuery] = []
    number = 0
    for line in (DATA / "judged_queries.txt").read_text().splitlines():
        if line.startswith("["):
            number = 0
        elif line and not line.startswith("#"):
            queries.append(_judged(line, tunes=number % 2 == 0))
            number += 1
    return queries


@cache
def _recorded() -> dict[str, Any]:
    rows: dict[str, Any] = json.loads((DATA / "judged_rows.json").read_text())
    return rows


def _rows(words: str) -> list[FoundItem]:
    recorded = _recorded()
    return [
        found_item(**recorded["items"][name], item=name, probability=probability)
        for name, probability in recorded["found"][words]["rows"]
    ]


def _answers(words: str) -> list[str]:
    answers, _related = answers_and_related(words, _rows(words), has_meaning=_recorded()["found"][words]["read"])
    return [row.title for row in answers]


def figures(queries: Iterable[JudgedQuery]) -> Figures:
    """Return how well the rules decide on these searches. A title counts once, of any kind."""
    right = wrong = missed = 0
    mistaken: list[str] = []
    for query in queries:
        found = _answers(query.words)
        right += len(query.right.intersection(found))
        missed += len(query.right.difference(found))
        errors = [title for title in found if title not in query.right | query.either]
        wrong += len(errors)
        if errors and not query.right:
            mistaken.append(query.words)
    return Figures(right / (right + wrong), right / (right + missed), mistaken)


@pytest.mark.parametrize(
    ("tunes", "precision", "recall", "mistaken"),
    [(True, 0.87, 0.75, ["car repair"]), (False, 0.92, 0.92, ["driving lessons"])],
    ids=["tuning", "held out"],
)
def test_answers_are_what_people_would_pick(tunes: bool, precision: float, recall: float, mistaken: list[str]) -> None:
    """Before, a half had 61 % and 79 % of its answers right, and as many of the right ones."""
    measured = figures(query for query in judged_queries() if query.tunes is tunes)
    assert measured.precision >= precision, measured
    assert measured.recall >= recall, measured
    assert measured.mistaken == mistaken


@pytest.mark.parametrize("words", ["babysitter", "portuguese", "electrician", "yoga", "resume help", "horse riding"])
def test_search_without_answer_finds_nothing(words: str) -> None:
    assert _answers(words) == []


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("piano", ["Piano"]),
        ("leaky faucet", ["Handyman Services"]),
        ("make jewelry", ["Silversmithing"]),
        ("someone to walk my dog", ["Pet Sitting"]),
    ],
)
def test_search_with_one_answer_finds_no_other(words: str, titles: list[str]) -> None:
    assert _answers(words) == titles


def test_judged_queries_are_enough_and_each_was_recorded() -> None:
    queries = judged_queries()
    assert len(queries) >= 80
    assert {query.words for query in queries} == set(_recorded()["found"])
    shown = {item["title"] for item in _recorded()["items"].values()}
    assert {title for query in queries for title in query.right} <= shown
