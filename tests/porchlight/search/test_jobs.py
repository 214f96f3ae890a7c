"""Jobs of search, run by a worker in the app role."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.features.search import alerts
from porchlight.features.search.alerts import SEND_ALERTS_TASK
from tenants.db.jobs import enqueue_as_service
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.matches.factories import UserData, insert_user


async def test_send_alerts_emails_each_user_their_results(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        users = {words: insert_user(conn, UserData(f"Fan of {words}")) for words in ("falconry", "topiary", "origami")}
        for words, user_id in users.items():
            conn.execute(
                "INSERT INTO saved_searches (user_id, id, words) VALUES (%s, %s, %s)", [user_id, new_id(), words]
            )
        conn.execute("UPDATE users SET status = 'suspended' WHERE user_id = %s", [users["topiary"]])
    with psycopg.connect(database.service_url) as conn:
        for skill in ("Falconry", "Topiary"):
            insert_user(conn, UserData(f"Teacher of {skill}", [skill]))
    for _ in range(2):  # the second run finds nothing new
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, SEND_ALERTS_TASK)
        await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        emails = conn.execute(
            "SELECT u.user_id, m.plain LIKE '%Teacher of Falconry%' FROM dev_mailbox m"
            " JOIN users u ON u.email = m.recipient"
        ).fetchall()
        unchecked = conn.execute("SELECT user_id FROM saved_searches WHERE seen_at = created_at").fetchall()
    assert emails == [(users["falconry"], True)]
    assert unchecked == [(users["topiary"],)], "a suspended user's searches wait"


async def test_alerts_pause_while_listings_are_off(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        fan = insert_user(conn, UserData("Fan of quilling"))
        conn.execute("INSERT INTO saved_searches (user_id, id, words) VALUES (%s, %s, 'quilling')", [fan, new_id()])
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('skillListing', false)")
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Teacher of quilling", ["Quilling"]))
    sent = []
    for _ in range(2):
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, SEND_ALERTS_TASK)
        await do_jobs(database)
        with psycopg.connect(database.service_url) as conn:
            query = "SELECT FROM dev_mailbox m JOIN users u ON u.email = m.recipient WHERE u.user_id = %s"
            sent.append(len(conn.execute(query, [fan]).fetchall()))
            conn.execute("DELETE FROM flag_settings")  # the second run is with the flag on
    assert sent == [0, 1]


async def test_alert_leaves_out_poor_hits(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database.service_url) as conn:
        fan = insert_user(conn, UserData("Fan of glassblowing"))
        save = "INSERT INTO saved_searches (user_id, id, words) VALUES (%s, %s, 'glassblowing')"
        conn.execute(save, [fan, new_id()])
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Teacher of glassblowing", ["Glassblowing"]))
        email = conn.execute("SELECT email FROM users WHERE user_id = %s", [fan]).fetchone()
        assert email is not None

    async def count_alerts() -> int:
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, SEND_ALERTS_TASK)
        await do_jobs(database)
        with psycopg.connect(database.service_url) as conn:
            return len(conn.execute("SELECT FROM dev_mailbox WHERE recipient = %s", email).fetchall())

    with monkeypatch.context() as patch:
        patch.setattr(alerts, "MIN_PROBABILITY_PERCENT", 101)  # no hit fits as well as that
        assert await count_alerts() == 0
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE saved_searches SET seen_at = created_at WHERE user_id = %s", [fan])
    assert await count_alerts() == 1
