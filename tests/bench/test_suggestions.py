"""Recall and latency of skill suggestions for input with typos."""

from __future__ import annotations

import time

import psycopg
import pytest

from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.porchlight.catalog.typos import skills_with_typos, suggested_skills, suggestion_recall

pytestmark = pytest.mark.bench

_INSERT_MANY_TERMS = """
INSERT INTO skill_search_terms (category_slug, name, term, term_length, popular)
SELECT 'creative', w, w, length(w), false FROM (
  SELECT DISTINCT substr(translate(md5(i::text), '0123456789', 'ghijklmnop'), 1, 3 + i % 14) AS w
    FROM generate_series(1, 20000) i) made
ON CONFLICT DO NOTHING
"""


def _percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))] * 1000


def test_suggestion_recall_and_latency(database: Database) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        with psycopg.connect(database.app_url, autocommit=True) as conn:
            for slips in (1, 2):
                print_figure(
                    f"autocomplete, {slips} slips: recall@10", suggestion_recall(conn, slips), None, "", least=0.95
                )
            for rows in ("the catalog", "20,000 more"):
                seconds_taken: list[float] = []
                for _name, typed in skills_with_typos(1):
                    began = time.perf_counter()
                    suggested_skills(conn, typed)
                    seconds_taken.append(time.perf_counter() - began)
                print_figure(f"autocomplete, {rows}: p99", _percentile(seconds_taken, 0.99), None, "ms", at_most=15,
                     note=f"median {_percentile(seconds_taken, 0.5):.1f}")  # fmt: skip
                owner.execute(_INSERT_MANY_TERMS)
                owner.execute("ANALYZE skill_search_terms")
