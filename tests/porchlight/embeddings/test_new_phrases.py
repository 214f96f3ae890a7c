"""Relations of a new phrase, by spelling: SQL has the numbers of `porchlight.embeddings.probability`."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.embeddings.probability import SAME_WORDS, probability_by_words
from tests.fixtures.databases import Database


def test_new_phrase_has_probabilities_of_python(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        ids = [
            row[0]
            for words in ("sourdough baking", "sourdough bakery", "sourdough breads")
            for row in conn.execute("SELECT app.get_or_create_phrase(%s, true)", [words]).fetchall()
        ]
        rows = conn.execute(
            "SELECT r.probability, similarity(p.words, o.words), r.phrase_id = r.other_id FROM phrase_relations r"
            " JOIN phrases p ON p.id = r.phrase_id JOIN phrases o ON o.id = r.other_id WHERE r.phrase_id = ANY (%s)",
            [ids],
        ).fetchall()
    assert len(rows) == len(ids) ** 2
    for probability, similarity, is_same in rows:
        expected = SAME_WORDS if is_same else probability_by_words(similarity, has_model=False)
        assert probability == pytest.approx(expected, abs=1e-6)
