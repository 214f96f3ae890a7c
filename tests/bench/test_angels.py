"""Time of Angel's List with 10,000 and with 100,000 angels: the sums of all services, and the angels of one."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import psycopg
import pytest

from porchlight.features.angels.queries import _STATS
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database

pytestmark = pytest.mark.bench

SIZES = (10_000, 100_000)
ROUNDS = 40
# One in four lives in one cell of Denver; the others in 400 cells of 40 cities.
_USERS = """
WITH people AS (
  INSERT INTO users (user_id, firebase_uid) SELECT uuidv7(), 'angel-' || n FROM generate_series(1, %s) n RETURNING *
)
INSERT INTO profiles (user_id, handle, display_name) SELECT user_id, firebase_uid, 'Angel' FROM people
"""
_ANGELS = """
INSERT INTO angels (user_id, service_id, rate_cents, days, radius_miles, city, region, latitude, longitude, ratings,
                    rating_sum)
SELECT user_id, CASE n % 3 WHEN 0 THEN 'yard-work' ELSE 'pet-sitting' END, 2000 + n % 50 * 100, '{1,2}', 20,
       CASE n % 4 WHEN 0 THEN 'Denver' ELSE 'City ' || n % 40 END, 'Colorado',
       39.74 + CASE n % 4 WHEN 0 THEN 0 ELSE n % 20 / 10.0 END,
       -104.98 + CASE n % 4 WHEN 0 THEN 0 ELSE n / 20 % 20 / 10.0 END,
       n % 5 % 2, n % 5 % 2 * (1 + n % 5)
  FROM (SELECT user_id, split_part(firebase_uid, '-', 2)::integer AS n FROM users WHERE firebase_uid LIKE 'angel-%') p
"""
_FOR = "SELECT * FROM app.angels_for('pet-sitting', %s, %s, %s, NULL, NULL, NULL, 21, 90, 5, interval '1 day')"
QUERIES: dict[str, tuple[str, list[object]]] = {
    "sums of all services": (_STATS, [1000]),
    "angels of a service": (_FOR, ["", None, None]),
    "angels of a service in a city": (_FOR, ["denver", None, None]),
    "angels near a crowded place": (_FOR, ["", 39.74, -104.98]),
    "angels near a quiet place": (_FOR, ["", 44.0, -100.0]),
}


def milliseconds(database: Database, angels: int) -> dict[str, float]:
    """Return the median of each query."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute(_USERS, [angels])
        conn.execute(_ANGELS)
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE")
    medians = {}
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        for name, (query, values) in QUERIES.items():
            times = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                conn.execute(query.encode(), values).fetchall()
                times.append(time.perf_counter() - began)
            medians[name] = statistics.median(times) * 1e3
    return medians


def test_angel_list_time_with_many_angels(new_database: Callable[[], Database]) -> None:
    small, large = (milliseconds(new_database(), angels) for angels in SIZES)
    for name, median in large.items():
        print_figure(f"{name}, {SIZES[1]:,} angels", median, None, "ms", at_most=30)
        print_figure(f"{name}, beside {SIZES[0]:,}", median, small[name], "ms", at_most=1.5)
