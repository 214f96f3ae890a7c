"""Demo angels: every service has angels near both towns, with consistent counters."""

from __future__ import annotations

import psycopg

from porchlight.demo_data import angels, gurus, neighbors, porch_lights
from tests.fixtures.databases import Database


def test_demo_angels_load_once_with_consistent_counters(database: Database) -> None:
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    assert angels.load_all(database.service_url) >= 14
    with psycopg.connect(database.service_url) as conn:
        stats = conn.execute("SELECT service_id, city, angels, ratings FROM angel_cells").fetchall()
        assert {service for service, *_ in stats} == {
            *("handyman-services", "moving-help", "cleaning-services", "yard-work", "pet-sitting", "errands-shopping")
        }
        assert {city for _, city, *_ in stats} == {"Denver", "Boulder"}
        assert all(ratings > 0 for *_, ratings in stats)
        # The counters match the completed needs.
        mismatches = conn.execute(
            "SELECT a.user_id FROM angels a WHERE a.jobs <> (SELECT count(*) FROM needs n"
            "  WHERE n.accepted_user_id = a.user_id AND n.service_id = a.service_id AND n.status = 'done')"
        ).fetchall()
        assert mismatches == []
        done = conn.execute(
            "SELECT count(*) FROM needs WHERE status = 'done' AND user_id = accepted_user_id"
        ).fetchone()
        assert done == (0,)  # no angel completed an own need
        open_needs = conn.execute("SELECT title, low_cents, high_cents FROM needs WHERE status = 'open'").fetchall()
        assert len(open_needs) == 4
        assert all(low and high and low <= high for _, low, high in open_needs)
        before = conn.execute("SELECT count(*) FROM needs").fetchone()
    assert angels.load_all(database.service_url) == 0
    assert porch_lights.load_all(database.service_url) == porch_lights.load_all(database.service_url) == 3
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT count(*) FROM needs").fetchone() == before
