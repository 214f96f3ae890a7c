"""The index of public pages: which gurus a run indexes, and which entries it deletes."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.search.indexer import reindex
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_guru
from tests.porchlight.matches.factories import GAZETTEER

LABELS = ["alpha", "beta", "delta", "gamma"]
_ENTRIES = """
SELECT label, kind, count(*) FROM search_entries WHERE label = ANY (%s) OR label = 'hidden'
 GROUP BY 1, 2 ORDER BY 1, 2"""
_TAGLINE = "SELECT summary FROM search_entries WHERE label = 'beta' AND kind = 'guru'"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porchlight.features.search.indexer.BATCH_SIZE", 2)


async def test_run_indexes_all_changed_gurus_in_batches(
    database: Database, service_db: psycopg.Connection[Any]
) -> None:
    for label in [*LABELS, "hidden"]:
        seed_guru(service_db, label, posts=3)
    service_db.execute("UPDATE gurus SET published = false WHERE label = 'hidden'")
    assert await reindex(database.service_url, GAZETTEER) == 4
    entries = service_db.execute(_ENTRIES, [LABELS]).fetchall()
    assert entries == [(label, kind, count) for label in LABELS for kind, count in (("guru", 1), ("post", 3))]
    assert await reindex(database.service_url, GAZETTEER) == 0
    service_db.execute("UPDATE gurus SET tagline = 'New words' WHERE label = 'beta'")
    assert await reindex(database.service_url, GAZETTEER) == 1
    assert service_db.execute(_TAGLINE).fetchone() == ("New words",)


async def test_entries_of_hidden_gurus_are_deleted(database: Database, service_db: psycopg.Connection[Any]) -> None:
    for label in ("suspended", "unpublished", "deleted", "shown"):
        seed_guru(service_db, label, posts=1)
    assert await reindex(database.service_url, GAZETTEER) >= 4
    service_db.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'suspended'")
    service_db.execute("UPDATE gurus SET published = false WHERE label = 'unpublished'")
    service_db.execute("DELETE FROM gurus WHERE label = 'deleted'")
    await reindex(database.service_url, GAZETTEER)
    labels = service_db.execute(
        "SELECT DISTINCT label FROM search_entries WHERE label IN ('suspended', 'unpublished', 'deleted', 'shown')"
    ).fetchall()
    assert labels == [("shown",)]
