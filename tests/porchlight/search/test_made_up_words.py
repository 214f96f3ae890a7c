"""Made-up but pronounceable words find nothing; typos and rare words still find offers."""

from __future__ import annotations

import random
import re
from typing import Any

import psycopg
import pytest

from porchlight.features.search.queries import FOUND, SearchOrigin, search_params
from porchlight.features.search.schemas import Filters
from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import UserData, add_typos, embedding_model, insert_user, offers, relate_phrases

_BEGINNINGS = re.findall(
    "[a-z]+", "b c d f g h k l m n p r s t v w z bl br cl cr dr fl fr gl gr pl pr sl sk sp st tr th sh"
)
_MIDDLES = re.findall("[a-z]+", "a e i o u oo ee ai ou")
_ENDS: list[str] = ["", "", *re.findall("[a-z]+", "n r l m t s k p x nd rt mp sk")]
_FIND = f"SELECT title FROM {FOUND}"


def _made_up(rng: random.Random) -> str:
    syllables = rng.choice((2, 2, 3))
    parts = [rng.choice(_BEGINNINGS) + rng.choice(_MIDDLES) for _ in range(syllables)]
    word = ""
    for part in parts:
        end = rng.choice(_ENDS)
        word += part + (end if rng.random() < 0.3 else "")
    return word + rng.choice(_ENDS)


def _questions() -> list[str]:
    """Return 150 queries of one or two made-up words."""
    rng = random.Random(11)
    return [" ".join(_made_up(rng) for _ in range(rng.choice((1, 1, 2)))) for _ in range(150)]


@pytest.fixture(scope="module")
def offers_database(database: Database) -> Database:
    """A database with all offers of the paraphrase set, embedded."""
    with psycopg.connect(database.service_url) as conn:
        for number, offer in enumerate(offers()):
            insert_user(conn, UserData(f"Teacher {number}", [offer]))
    relate_phrases(database, embedding_model())
    return database


def _params(phrase_id: int | None, words: str) -> dict[str, Any]:
    return search_params(phrase_id, words, Filters(kind="offer"), SearchOrigin()) | {"max_results": 20}


def _found(database: Database, questions: list[str], *, read: bool) -> list[list[str]]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        asked = [
            conn.execute("SELECT phrase_id FROM app.lookup_phrase(%s, 500, 50000)", [words]).fetchone()
            for words in questions
        ]
        if read:
            relate_phrases(database, embedding_model())
        return [
            [title for (title,) in conn.execute(_FIND, _params(row[0] if row else None, words)).fetchall()]
            for row, words in zip(asked, questions, strict=True)
        ]


@pytest.mark.parametrize("read", [False, True], ids=["before it is read", "once it is read"])
def test_made_up_words_find_nothing(offers_database: Database, read: bool) -> None:
    results = _found(offers_database, _questions(), read=read)
    assert sum(map(bool, results)) <= 0.05 * len(results), [q for q, f in zip(_questions(), results, strict=True) if f]


def test_typos_find_offers_after_embedding(offers_database: Database) -> None:
    rng = random.Random(12)
    typed = [(offer, add_typos(offer.lower(), edits, rng)) for offer in offers() for edits in (1, 2)]
    results = _found(offers_database, [words for _offer, words in typed], read=True)
    right = [offer in titles[:10] for (offer, _words), titles in zip(typed, results, strict=True)]
    assert sum(right) >= 0.97 * len(right)


def test_rare_words_find_offers_by_meaning(offers_database: Database) -> None:
    rare = {"bouldering": "Rock climbing", "beekeeper": "Beekeeping", "houseplants": "Houseplant care"}
    for (words, meant), titles in zip(rare.items(), _found(offers_database, list(rare), read=True), strict=True):
        assert titles[:1] == [meant], words


def test_knows_whole_word_excludes_made_up_words() -> None:
    for words in ("guitar", "learn guitar", "lightroom", "orchids", "quickbooks", "中"):
        assert embedding_model().knows_whole_word(words), words
    for words in ("prablop", "teach me prablop", "cakbeex grirbochot", ""):
        assert not embedding_model().knows_whole_word(words), words
