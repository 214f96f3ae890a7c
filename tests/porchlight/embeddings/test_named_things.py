"""Languages, instruments and tools are matched by name; abbreviations are read in full."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.embeddings.named_things import named_things
from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import (
    UserData,
    embedding_model,
    held_out_wants,
    insert_user,
    relate_phrases,
    wants,
)

_RELATED = """
SELECT p.words FROM app.lookup_phrase(%s, 500, 50000) l JOIN phrase_relations r ON r.phrase_id = l.phrase_id
  JOIN phrases p ON p.id = r.other_id WHERE p.in_use AND r.probability >= 0.3 ORDER BY r.probability DESC"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("learn Portuguese", "Spanish lessons"),
        ("piano for beginners", "Guitar lessons"),
        ("bass guitar", "Electric guitar"),
        ("calculus 2", "Physics tutoring"),
        ("Excel help", "Photoshop basics"),
        ("C++ course", "C# course"),
        ("calc help", "Physics tutoring"),
        ("chem tutor", "Biology lessons"),
        ("java script", "Java course"),
        ("photo shop", "Lightroom basics"),
        ("Algebra II", "Geometry tutoring"),
        ("Alg 2 before finals", "Statistics help"),
        ("Span 101", "French lessons"),
        ("Phys 201", "Chemistry tutoring"),
    ],
)
def test_texts_with_other_names_are_different(one: str, other: str) -> None:
    assert named_things().are_different(one, other)
    assert named_things().are_different(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("learn a language", "Spanish lessons"),
        ("Portuguese", "Spanish and Portuguese"),
        ("fiddle tunes", "Violin lessons"),
        ("calculus 2", "Math tutoring"),
        ("bass guitar", "Bass fishing"),
        ("German lessons", "German shepherd training"),
        ("furniture polish", "Russian lessons"),
        ("polish my resume", "English resume writing"),
        ("java script", "JavaScript for websites"),
        ("excel at chess", "Photoshop basics"),
        ("Geom 1", "Math tutoring"),
        ("math for grown-ups", "Statistics help"),
        ("Bio for my author page", "Chemistry tutoring"),
        ("Stats 101", "Probability and statistics"),
    ],
)
def test_texts_without_other_names_are_not_different(one: str, other: str) -> None:
    assert not named_things().are_different(one, other)


def test_true_answers_are_never_different() -> None:
    pairs = [(want.words, want.offer) for want in [*wants(), *held_out_wants()]]
    assert [pair for pair in pairs if named_things().are_different(*pair)] == []


def test_search_relates_the_named_language_alone(database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        insert_user(
            conn, UserData("Ana", ["Spanish lessons", "Portuguese lessons", "JavaScript for websites", "Java course"])
        )
        for words in ("learn portuguese", "learn js"):
            conn.execute("SELECT app.lookup_phrase(%s, 500, 50000)", [words])
        relate_phrases(database, embedding_model())
        found = {
            words: [row[0] for row in conn.execute(_RELATED, [words])] for words in ("learn portuguese", "learn js")
        }
    assert found == {"learn portuguese": ["portuguese lessons"], "learn js": ["javascript for websites"]}
