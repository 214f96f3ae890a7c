"""The demo's Angel's List: every service has angels in both towns' reach, with a past that adds up."""

from __future__ import annotations

import psycopg

from porchlight.seeds import angels, neighbours, stories
from tests.support.databases import Database


def test_angels_are_told_once_and_add_up(database: Database) -> None:
    stories.tell_all(database.overseer_url)
    neighbours.tell_all(database.overseer_url)
    assert angels.tell_all(database.overseer_url) >= 14
    with psycopg.connect(database.overseer_url) as conn:
        stats = conn.execute("SELECT service_id, city, angels, ratings FROM app.angel_stats()").fetchall()
        assert {service for service, *_ in stats} == {
            *("handyman-services", "moving-help", "cleaning-services", "yard-work", "pet-sitting", "errands-shopping")
        }
        assert {city for _, city, *_ in stats} == {"Denver", "Boulder"}
        assert all(ratings > 0 for *_, ratings in stats)
        # What is counted is what was done.
        wrong = conn.execute(
            "SELECT a.user_id FROM angels a WHERE a.jobs <> (SELECT count(*) FROM needs n"
            "  WHERE n.accepted_user_id = a.user_id AND n.service_id = a.service_id AND n.status = 'done')"
        ).fetchall()
        assert wrong == []
        done = conn.execute(
            "SELECT count(*) FROM needs WHERE status = 'done' AND user_id = accepted_user_id"
        ).fetchone()
        assert done == (0,)  # nobody helped themselves
        opened = conn.execute("SELECT title, low_cents, high_cents FROM needs WHERE status = 'open'").fetchall()
        assert len(opened) == 4
        assert all(low and high and low <= high for _, low, high in opened)
        before = conn.execute("SELECT count(*) FROM needs").fetchone()
    assert angels.tell_all(database.overseer_url) == 0
    with psycopg.connect(database.overseer_url) as conn:
        assert conn.execute("SELECT count(*) FROM needs").fetchone() == before
