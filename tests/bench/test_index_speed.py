"""Time until the pages of new gurus can be searched, at the present number of gurus."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

import psycopg
import pytest

from porchlight.demo_data import bulk_data
from porchlight.features.search.indexer import reindex
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import GAZETTEER

pytestmark = pytest.mark.bench

GURUS = int(os.environ.get("PORCHLIGHT_BENCH_GURUS", "10000"))  # 100,000 for a soak test
POSTS_EACH = 3
MAX_SECONDS = 60  # a run starts each minute, so that a page is found within two


def test_index_speed_with_many_gurus(new_database: Callable[[], Database]) -> None:
    database = new_database()
    bulk_data.build(database.service_url, GURUS, posts_per_guru=POSTS_EACH)
    began = time.perf_counter()
    assert asyncio.run(reindex(database.service_url, GAZETTEER)) == GURUS
    seconds = time.perf_counter() - began
    print_figure(f"index of {GURUS:,} new gurus", GURUS / seconds, None, "/s", note=f"{seconds:.0f} s")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE gurus SET tagline = 'Bread and butter' WHERE label = %s", [bulk_data.bulk_label(7)])
    began = time.perf_counter()
    assert asyncio.run(reindex(database.service_url, GAZETTEER)) == 1
    seconds = time.perf_counter() - began
    print_figure(f"index of one guru among {GURUS:,}", seconds, None, "s", at_most=MAX_SECONDS)
