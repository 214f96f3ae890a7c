"""The query plan of suggestions in a large table: they use the indexes and read few rows."""

from __future__ import annotations

import random
import string

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.catalog.typos import suggested_skills

_STATISTICS = "SELECT seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'skill_search_terms'"


@pytest.fixture(scope="module")
def large_database(database: Database) -> Database:
    """A database with ten thousand terms of three to sixteen letters beside the catalog."""
    rng = random.Random(4)
    words = {"".join(rng.choices(string.ascii_lowercase[6:16], k=3 + number % 14)) for number in range(10_000)}
    with psycopg.connect(database.owner_url, autocommit=True) as conn, conn.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO skill_search_terms (category_slug, name, term, term_length, popular)"
            " VALUES ('creative', %(word)s, %(word)s, length(%(word)s), false)",
            [{"word": word} for word in sorted(words)],
        )
        conn.execute("ANALYZE skill_search_terms")
    return database


@pytest.mark.parametrize("typed", ["photograhpy", "troubleshootng circuits", "sourdough bakin"])
def test_suggestions_for_long_text_use_indexes(large_database: Database, typed: str) -> None:
    """Twelve runs, because Postgres can switch to a generic plan after five."""
    with psycopg.connect(large_database.app_url) as conn:
        for _ in range(12):
            suggested_skills(conn, typed)
        (scans, rows) = conn.execute(_STATISTICS).fetchone() or (None, None)
    assert scans == 0
    assert rows is not None
    assert rows < 12 * 200
