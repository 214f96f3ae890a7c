"""The index of public pages: which gurus a run indexes, and which entries it deletes."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.search.indexer import reindex
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_guru
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


async def test_new_release_indexes_gurus_who_hide_skills(
    database: Database, service_db: psycopg.Connection[Any]
) -> None:
    seed_guru(service_db, "approved", posts=1)
    hiding = seed_guru(service_db, "hiding", posts=1)
    service_db.execute("UPDATE guru_categories SET listed = false WHERE tenant_id = %s", [hiding.id])
    # As an earlier release indexed it: with a skill that belongs to a category only now.
    service_db.execute(
        "UPDATE gurus SET primary_skills = '{Glimmerwork}', category = 'swords' WHERE id = %s", [hiding.id]
    )
    await reindex(database.service_url, GAZETTEER)
    phrase = (
        "SELECT count(*) FROM search_entry_phrases e JOIN phrases p ON p.id = e.phrase_id"
        " WHERE e.kind = 'guru' AND e.item = %s AND p.words = 'glimmerwork'"
    )
    found = [service_db.execute(phrase, [str(hiding.id)]).fetchone()]
    slug = service_db.execute("SELECT slug FROM skill_categories ORDER BY position LIMIT 1").fetchone()
    assert slug is not None
    service_db.execute("UPDATE guru_categories SET slug = %s WHERE tenant_id = %s", [slug[0], hiding.id])
    await reindex(database.service_url, GAZETTEER)
    with psycopg.connect(database.superuser_url) as conn:
        term = {
            "category_slug": slug[0],
            "name": "Glimmerwork",
            "term": "glimmerwork",
            "term_length": 11,
            "popular": False,
        }
        insert_row(conn, "skill_search_terms", term)
    assert await reindex(database.service_url, GAZETTEER) == 0
    found.append(service_db.execute(phrase, [str(hiding.id)]).fetchone())
    assert await reindex(database.service_url, GAZETTEER, is_new_release=True) == 1
    found.append(service_db.execute(phrase, [str(hiding.id)]).fetchone())
    assert found == [(1,), (1,), (0,)]
