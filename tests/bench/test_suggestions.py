"""Suggestions while one types: what slips of the finger cost, in found skills and in time."""

from __future__ import annotations

import time

import psycopg
import pytest

from tests.bench.figures import show
from tests.skills.slips import recall, typed_with_slips
from tests.support.databases import Database

pytestmark = pytest.mark.bench

_MANY = """
INSERT INTO skill_needles (category_slug, name, needle, letters, popular)
SELECT 'creative', w, w, length(w), false FROM (
  SELECT DISTINCT substr(translate(md5(i::text), '0123456789', 'ghijklmnop'), 1, 3 + i % 14) AS w
    FROM generate_series(1, 20000) i) made
ON CONFLICT DO NOTHING
"""


def _percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))] * 1000


def test_recall_and_speed(database: Database) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        with psycopg.connect(database.app_url, autocommit=True) as conn:
            for slips in (1, 2):
                show(f"autocomplete, {slips} slips: recall@10", recall(conn, slips), None, "", least=0.95)
            for rows in ("the catalogue", "20,000 more"):
                taken: list[float] = []
                for _name, typed in typed_with_slips(1):
                    began = time.perf_counter()
                    conn.execute("SELECT * FROM app.suggest_skills(%s, 10)", [typed]).fetchall()
                    taken.append(time.perf_counter() - began)
                show(f"autocomplete, {rows}: p99", _percentile(taken, 0.99), None, "ms", most=15,
                     note=f"median {_percentile(taken, 0.5):.1f}")  # fmt: skip
                owner.execute(_MANY)
                owner.execute("ANALYZE skill_needles")
