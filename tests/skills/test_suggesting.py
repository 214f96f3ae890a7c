"""How suggestions are looked up where there are many: by their indexes, and few of short words weighed."""

from __future__ import annotations

import random
import string

import psycopg
import pytest

from tests.support.databases import Database

_READ = "SELECT seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'skill_needles'"


@pytest.fixture(scope="module")
def many(database: Database) -> Database:
    """Ten thousand words of three to sixteen letters beside the catalogue."""
    dice = random.Random(4)
    words = {"".join(dice.choices(string.ascii_lowercase[6:16], k=3 + at % 14)) for at in range(10_000)}
    with psycopg.connect(database.owner_url, autocommit=True) as conn, conn.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO skill_needles (category_slug, name, needle, letters, popular)"
            " VALUES ('creative', %(word)s, %(word)s, length(%(word)s), false)",
            [{"word": word} for word in sorted(words)],
        )
        conn.execute("ANALYZE skill_needles")
    return database


@pytest.mark.parametrize("typed", ["photograhpy", "troubleshootng circuits", "sourdough bakin"])
def test_what_is_long_is_never_sought_row_by_row(many: Database, typed: str) -> None:
    """Not even once Postgres has settled for one plan for all texts, which it does after five."""
    with psycopg.connect(many.app_url) as conn:
        for _ in range(12):
            conn.execute("SELECT * FROM app.suggest_skills(%s, 10)", [typed])
        (scans, rows) = conn.execute(_READ).fetchone() or (None, None)
    assert scans == 0
    assert rows is not None
    assert rows < 12 * 200
