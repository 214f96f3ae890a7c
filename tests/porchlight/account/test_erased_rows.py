"""Rows that `app.erase_words` deletes by itself, before the other steps of an account's deletion."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.risk.decisions import phrase_of
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

SKILLS = json.dumps([{"name": "Quixotic juggling", "level": None}])


def _act_as(conn: psycopg.Connection[Any], user_id: UUID) -> None:
    conn.execute("SET LOCAL ROLE porchlight_app")
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])


def _ask(conn: psycopg.Connection[Any], activity: str) -> None:
    phrase = phrase_of("", activity)
    row = [new_id(), phrase.category, phrase.activity, phrase.digest]
    conn.execute("SELECT app.request_risk_review(%s, %s, %s, %s, 10000, 9)", row)


def test_erase_words_deletes_listings_and_their_reviews(database: Database) -> None:
    """Find and delete the listings: row level security once hid them from the deletion."""
    with psycopg.connect(database.superuser_url) as conn:
        user_id = seed_user(conn)
        row = {"user_id": user_id, "handle": f"erased-{user_id.hex}", "registered_at": clock.now()}
        insert_row(conn, "profiles", row)
        conn.execute(
            "UPDATE profiles SET skills_offered = %s, skills_wanted = %s WHERE user_id = %s", [SKILLS, SKILLS, user_id]
        )
        _act_as(conn, user_id)
        _ask(conn, "quixotic juggling")
        _ask(conn, "quixotic juggling with older words")
        conn.execute("SELECT set_config('app.user_id', '', true)")
        _ask(conn, "quixotic juggling with older words")  # someone views the listing
        _act_as(conn, user_id)
        conn.execute("SELECT app.erase_words(300)")
        conn.execute("RESET ROLE")
        for table, column in (("skill_offers", "title"), ("skill_wants", "title"), ("risk_reviews", "activity"),
                              ("phrases", "words")):  # fmt: skip
            query = f"SELECT {column} FROM {table} WHERE {column} ILIKE 'quixotic juggling%'"
            assert conn.execute(query.encode()).fetchall() == [], table
        conn.rollback()


def test_erase_words_empties_events_of_the_user(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        user_id, other = seed_user(conn), seed_user(conn)
        for person, name in ((user_id, "own"), (other, "other")):
            insert_row(conn, "payout_accounts", {"user_id": person, "account_id": f"acct_{name}"})
            customer = {"user_id": person, "request_id": new_id(), "customer_id": f"cus_{name}"}
            insert_row(conn, "billing_customers", customer)
        event = {"endpoint": "platform", "created": clock.now(), "state": "failed", "error": "KeyError: 'x'"}
        for name, account, customer_id in (
            ("1", "acct_own", ""),
            ("2", "", "cus_own"),
            ("3", "acct_other", "cus_other"),
        ):
            body = json.dumps({"customer": customer_id, "email": "someone@mail.example"}).encode()
            row = {"id": f"evt_erased_{name}", "kind": "x.y", "account": account, "body": body}
            insert_row(conn, "stripe_inbox", event | row)
        _act_as(conn, user_id)
        conn.execute("SELECT app.erase_words(300)")
        conn.execute("RESET ROLE")
        query = "SELECT id FROM stripe_inbox WHERE id LIKE 'evt_erased_%' AND body IS NOT NULL"
        assert conn.execute(query).fetchall() == [("evt_erased_3",)]
        conn.rollback()
