"""Blocks that a search reads: the pages of a frequent phrase are bounded, however many there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from porchlight.features.search.queries import FOUND, SearchOrigin, search_params
from porchlight.features.search.rules import MAX_HITS
from porchlight.features.search.schemas import Filters
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row

PAGES = 6000  # of each kind, all with the phrase
MAX_BLOCKS = 12 * MAX_HITS
SEARCH = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM {FOUND}"
ENTRIES = """
INSERT INTO search_entries (kind, item, owner_id, version, title, summary, slug, tile, cell_lat, cell_lon)
SELECT k, gen_random_uuid(), %(owner)s, 1, 'Sourdough ' || n, 'Bread.', '', n %% 900 * 1000 + n %% 40, -1, -1
  FROM generate_series(1, %(count)s) n, unnest('{guru,post}'::text[]) k"""
PHRASES = """
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight)
SELECT app.get_or_create_phrase('sourdough', true), e.kind, e.item, 1 FROM search_entries e ON CONFLICT DO NOTHING"""


LISTINGS = """
WITH baker AS (
  INSERT INTO users (user_id, firebase_uid, email)
  SELECT gen_random_uuid(), 'baker-' || n, 'baker' || n || '@mail.example' FROM generate_series(1, %(count)s) n
  RETURNING user_id
), profile AS (
  INSERT INTO profiles (user_id, handle, languages, skills_offered, registered_at)
  SELECT user_id, 'baker-' || row_number() OVER (), ARRAY['English', 'Language ' || row_number() OVER () %% 1000],
         '[{"name": "Sourdough", "level": null}]', app.now() FROM baker)
SELECT"""


def _blocks(conn: psycopg.Connection[Any], place: SearchOrigin) -> int:
    """Return the blocks that a search reads, the fewest of several calls."""
    values = search_params(None, "sourdough", Filters(), place) | {"kinds": ["guru", "post"]}
    return min(_blocks_of(conn, values, MAX_HITS) for _ in range(4))


def _blocks_of(conn: psycopg.Connection[Any], values: dict[str, Any], rows: int) -> int:
    """Return the blocks that one call reads. The first ones read the catalog, too."""
    ((plan,),) = conn.execute(SEARCH, values).fetchall()
    top = plan[0]["Plan"]
    assert top["Actual Rows"] == rows
    return int(top["Shared Hit Blocks"] + top["Shared Read Blocks"])


def test_search_of_frequent_phrase_reads_bounded_blocks(database: Database) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        owner = new_id()
        insert_row(conn, "gurus", {"id": owner, "label": "baker", "character": "Baker", "category": "Creative"})
        conn.execute(ENTRIES, {"owner": owner, "count": PAGES})
        conn.execute(PHRASES)
        conn.execute("VACUUM ANALYZE search_entries, search_entry_phrases, phrases")
        blocks = [_blocks(conn, place) for place in (SearchOrigin(), SearchOrigin(6489, 2885))]
    assert max(blocks) < MAX_BLOCKS, blocks


@pytest.mark.parametrize(("language", "rows"), [("Language 7", 3), ("Klingon", 0)])
def test_search_for_rare_language_reads_few_blocks(
    new_database: Callable[[], Database], language: str, rows: int
) -> None:
    with psycopg.connect(new_database().superuser_url, autocommit=True) as conn:
        conn.execute(LISTINGS, {"count": 3000})
        conn.execute("VACUUM ANALYZE skill_offers, profiles, users, phrases")
        values = search_params(None, "sourdough", Filters(kind="offer", language=language), SearchOrigin())
        blocks = min(_blocks_of(conn, values, rows) for _ in range(4))
    assert blocks < 150, blocks
