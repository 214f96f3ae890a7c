"""Time of a search for a word that every guru has, with 10,000 and with 100,000 gurus."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import psycopg
import pytest

from porchlight.features.search.queries import FOUND, SearchOrigin, search_params
from porchlight.features.search.schemas import Filters
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database

pytestmark = pytest.mark.bench

SIZES = (10_000, 100_000)
ROUNDS = 40
WORDS = ["teaching", "mentoring", "listening", "general", "one of very many neighbors"]
_PHRASES = "INSERT INTO phrases (words, in_use, related_by) SELECT w, true, 'test+words' FROM unnest(%s::text[]) w"
_ENTRIES = """
INSERT INTO search_entries (kind, item, title, summary, tile, cell_lat, cell_lon)
SELECT 'guru', md5(n::text), 'Guru ' || n, '', lat / 25 * 1000 + lon / 20, lat, lon
  FROM (SELECT n, 6000 + n * 7919 %% 1000 AS lat, 2500 + n * 104729 %% 1000 AS lon
          FROM generate_series(1::bigint, %s) n) cells
"""
_ENTRY_PHRASES = """
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight, tile)
SELECT p.id, e.kind, e.item, 0.9, e.tile FROM search_entries e, phrases p WHERE p.words = ANY (%s)
"""
_SEARCH = f"SELECT item FROM {FOUND}"
PLACES = {
    "anywhere": (SearchOrigin(), None),
    "near a city": (SearchOrigin(6486, 2886), None),
    "within 25 miles": (SearchOrigin(6486, 2886), 25),
}


def milliseconds(database: Database, gurus: int) -> dict[str, float]:
    """Return the median of each kind of search."""
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute(_PHRASES, [WORDS])
        conn.execute(_ENTRIES, [gurus])
        conn.execute(_ENTRY_PHRASES, [WORDS])
        conn.execute("VACUUM ANALYZE")
        ((phrase_id,),) = conn.execute("SELECT id FROM phrases WHERE words = 'teaching'").fetchall()
    medians = {}
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        for name, (origin, miles) in PLACES.items():
            values = search_params(phrase_id, "teaching", Filters.model_validate({"withinMiles": miles}), origin)
            times = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                conn.execute(_SEARCH, values)
                times.append(time.perf_counter() - began)
            medians[name] = statistics.median(times) * 1e3
    return medians


def test_common_word_search_time(new_database: Callable[[], Database]) -> None:
    small, large = (milliseconds(new_database(), gurus) for gurus in SIZES)
    for name, median in large.items():
        print_figure(f"common word {name}, {SIZES[1]:,} gurus", median, None, "ms", at_most=30)
        print_figure(f"common word {name}, beside {SIZES[0]:,}", median, small[name], "ms", at_most=1.5)
