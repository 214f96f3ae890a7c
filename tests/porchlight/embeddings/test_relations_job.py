"""The job that relates phrases, with changes while the model reads."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from porchlight.embeddings.encoder import Encoder, model_folder
from porchlight.embeddings.minilm import MiniLM
from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user, relate_phrases


class _SlowModel(MiniLM):
    """Lets a user offer the phrase during the first reading."""

    def __init__(self, database: Database) -> None:
        folder = model_folder()
        assert folder is not None
        super().__init__(Encoder(folder))
        self._database = database
        self.readings = 0

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        self.readings += 1
        if self.readings == 1:
            with psycopg.connect(self._database.service_url) as conn:
                insert_user(conn, UserData("Potter", ["Raku pottery"]))
        return super().vectors(texts)


def test_phrase_used_during_embedding_is_related_again(database: Database) -> None:
    relate_phrases(database, embedding_model())
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT phrase_id FROM app.lookup_phrase('raku pottery', 500, 50000)").fetchone()
    assert row is not None
    assert relate_phrases(database, _SlowModel(database)) == 2, "as a search, then as an offer"
    with psycopg.connect(database.service_url) as conn:
        saved = conn.execute(
            "SELECT p.in_use, p.related_by IS NOT NULL, v.phrase_id IS NOT NULL FROM phrases p"
            " LEFT JOIN phrase_vectors v ON v.phrase_id = p.id WHERE p.id = %s",
            row,
        ).fetchone()
    assert saved == (True, True, True)
