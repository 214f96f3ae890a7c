"""Words that nobody says find nothing, though they can be pronounced; slips and rare words still find."""

from __future__ import annotations

import random
import re

import psycopg
import pytest

from porchlight.meaning.relating import relate_waiting
from tests.matches.people import Person, add, model, offers, slipped
from tests.support.databases import Database

_BEGINNINGS = re.findall(
    "[a-z]+", "b c d f g h k l m n p r s t v w z bl br cl cr dr fl fr gl gr pl pr sl sk sp st tr th sh"
)
_MIDDLES = re.findall("[a-z]+", "a e i o u oo ee ai ou")
_ENDS = ["", "", *re.findall("[a-z]+", "n r l m t s k p x nd rt mp sk")]
_FIND = """
SELECT title FROM app.search(%s, %s, '{offer}', -1::smallint, -1::smallint, NULL, NULL, NULL, NULL, NULL, NULL, 20)
"""


def _made_up(dice: random.Random) -> str:
    syllables = dice.choice((2, 2, 3))
    said = [dice.choice(_BEGINNINGS) + dice.choice(_MIDDLES) for _ in range(syllables)]
    return "".join(one + dice.choice(_ENDS) * (dice.random() < 0.3) for one in said) + dice.choice(_ENDS)


def _questions() -> list[str]:
    """One or two made-up words each."""
    dice = random.Random(11)
    return [" ".join(_made_up(dice) for _ in range(dice.choice((1, 1, 2)))) for _ in range(150)]


@pytest.fixture(scope="module")
def catalogue(database: Database) -> Database:
    """All that the set of paraphrases offers, read."""
    with psycopg.connect(database.overseer_url) as conn:
        for number, offer in enumerate(offers()):
            add(conn, Person(f"Teacher {number}", [offer]))
    relate_waiting(database.overseer_url, model())
    return database


def _found(database: Database, questions: list[str], *, read: bool) -> list[list[str]]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        asked = [conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [words]).fetchone() for words in questions]
        if read:
            relate_waiting(database.overseer_url, model())
        return [
            [title for (title,) in conn.execute(_FIND.encode(), [row and row[0], words]).fetchall()]
            for row, words in zip(asked, questions, strict=True)
        ]


@pytest.mark.parametrize("read", [False, True], ids=["before it is read", "once it is read"])
def test_what_nobody_says_finds_nothing(catalogue: Database, read: bool) -> None:
    found = _found(catalogue, _questions(), read=read)
    assert sum(map(bool, found)) <= 0.05 * len(found), [q for q, f in zip(_questions(), found, strict=True) if f]


def test_slips_still_find_once_they_are_read(catalogue: Database) -> None:
    dice = random.Random(12)
    typed = [(offer, slipped(offer.lower(), edits, dice)) for offer in offers() for edits in (1, 2)]
    found = _found(catalogue, [words for _offer, words in typed], read=True)
    right = [offer in titles[:10] for (offer, _words), titles in zip(typed, found, strict=True)]
    assert sum(right) >= 0.97 * len(right)


def test_rare_words_are_understood_though_they_fall_to_pieces(catalogue: Database) -> None:
    rare = {"bouldering": "Rock climbing", "beekeeper": "Beekeeping", "houseplants": "Houseplant care"}
    for (words, meant), titles in zip(rare.items(), _found(catalogue, list(rare), read=True), strict=True):
        assert titles[:1] == [meant], words


def test_what_is_made_of_scraps_is_told_from_words() -> None:
    for words in ("guitar", "learn guitar", "lightroom", "orchids", "quickbooks", "中"):
        assert model().sure_of(words), words
    for words in ("prablop", "teach me prablop", "cakbeex grirbochot", ""):
        assert not model().sure_of(words), words
