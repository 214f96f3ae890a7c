"""The deletion of an account leaves none of the user's words: written into every text column, and searched everywhere.

The word is written into each column that accepts it, in every row of the user and of the user's guru. After the
deletion it is searched in every table of every schema.
"""

from __future__ import annotations

import io
import itertools
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from porchlight.worker.maintenance import SEARCHED_PHRASE_TTL, purge_unused_phrases
from tenants.kit import clock
from tenants.kit.ids import new_id, parse_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import bearer_header, register_user
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru
from tests.porchlight.path_values import PATH_VALUES, SeededUser

WORD = "quixotrope"
OWNER_COLUMNS = ("user_id", "person_id", "owner_id", "sender_id", "teacher_id", "tenant_id")
# Factories of objects that belong to no user, and of reports, which the test makes through the API.
NOT_OWN = {"finding", "stripe event", "adjustment", "risk review", "report"}
WITH_OTHER_GURU = {"booking", "hold", "series", "waited session"}
# Columns of ids, of fixed words and of our payment provider's texts, which no user writes.
FIXED = {
    "approval", "chain_id", "currency", "domain", "ended_by", "event", "exchange_id", "firebase_uid", "guru_label",
    "idempotency_key", "in_id", "key", "label", "learner_zone", "listed_plan", "payment_intent", "place", "slug",
    "sub_id", "teacher_zone", "waiver_level", "zone", "plan_invoices.number", "plan_invoices.payment_url",
    "payments.card_brand", "payments.card_last4", "payments.charge_id", "payments.checkout_id", "payments.checkout_url",
    "payments.customer_id", "payments.error_code", "payments.intent_id", "payments.method_id", "payments.mode",
    "payments.purpose", "payments.transfer_id", "refunds.error_code", "refunds.reason", "refunds.refund_id",
    "session_disputes.answer_state", "session_disputes.dp_id", "session_disputes.parts",
    "session_disputes.reason", "session_disputes.state",
}  # fmt: skip
# An issued invoice keeps its words for seven years: both sides may have to show it (docs/data.md, test_invoices).
ISSUED = {
    f"invoices.{column}"
    for column in (
        "seller_name", "seller_address", "seller_tax_id", "buyer_name", "buyer_address", "buyer_tax_id", "service_name",
    )
} | {"invoices.kind", "invoices.currency"}  # fmt: skip
# Columns of a user's bookings that hold the words of their guru.
OF_GURU = {
    f"{table}.{column}"
    for table in ("bookings", "waitlist")
    for column in (
        "guru_name",
        "service_name",
        "place_text",
        "bring",
        "questions",
        "proposed_reason",
        "terms",
        "package_name",
        "checked_in_by",
    )
} | {"exchanges.note", "exchanges.reply"}  # of the other person; test_exchanges erases one's own
# Tables of users with texts that no user writes: ids, states, numbers of cards.
WITHOUT_WORDS = (
    "appointments", "billing_customers", "booking_emails", "dev_mailbox", "hidden_listings", "invoices", "memberships",
    "payments", "payout_accounts", "payouts", "plan_changes", "plan_checkouts", "plan_disputes", "plan_invoices",
    "refunds", "search_entries", "site_images", "subscriptions", "swap_ring_members", "thread_members", "waitlist",
)  # fmt: skip
_BY_STAFF = "words of staff, and ids"
_BY_PRODUCT = "the product's own words, and ids"
# Tables with texts and without a column of their owner, and why no word of a user is left there.
WITHOUT_OWNER = {
    "adjustments": _BY_STAFF,
    "admin_keys": _BY_STAFF,
    "admin_sessions": _BY_STAFF,
    "angel_cells": _BY_PRODUCT,
    "angel_listings": _BY_PRODUCT,
    "angel_services": _BY_PRODUCT,
    "audit_log": "words of staff",
    "audit_seals": _BY_PRODUCT,
    "billing_catalog": _BY_PRODUCT,
    "contact_messages": "messages to the staff, also about a deletion; deleted after a year",
    "sign_in_codes": "the address of someone who is not signed in yet; deleted after a day",
    "counters": _BY_PRODUCT,
    "daily_counters": _BY_PRODUCT,
    "findings": _BY_STAFF,
    "flag_settings": _BY_PRODUCT,
    "gurus": "the words are written by the id, and deleted with the guru",
    "impersonations": _BY_STAFF,
    "ledger_holds": _BY_PRODUCT,
    "ledger_kinds": _BY_PRODUCT,
    "ledger_rules": _BY_PRODUCT,
    "ledger_transactions": _BY_PRODUCT,
    "pending_account_emails": "the address of the last email, deleted when it is sent (test_account_emails)",
    "phrases": "written by the test",
    "reports": "written by the test",
    "risk_reviews": "written by the test",
    "skill_categories": _BY_PRODUCT,
    "skill_offer_languages": _BY_PRODUCT,
    "skill_search_terms": _BY_PRODUCT,
    "stripe_balance_lines": _BY_PRODUCT,
    "stripe_inbox": "texts of events: test_erased_rows and settlement's test_inbox",
    "stripe_outbox": "email addresses: billing's test_customer_email",
    "swap_rings": _BY_PRODUCT,
    "waiver_heads": _BY_PRODUCT,
    "waiver_links": _BY_PRODUCT,
}
KEPT = {"public.dev_mailbox": "the mailbox of a development machine, where production sends emails"}

_TEXT_COLUMNS = """
SELECT c.table_name, c.column_name, c.udt_name,
       ARRAY(SELECT o.column_name::text FROM information_schema.columns o
              WHERE o.table_schema = 'public' AND o.table_name = c.table_name AND o.column_name = ANY (%s))
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
 WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
   AND c.udt_name IN ('text', '_text', 'jsonb')
   AND NOT EXISTS (
     SELECT FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
      WHERE k.conrelid = format('%%I', c.table_name)::regclass AND k.contype = 'f' AND a.attname = c.column_name)
 ORDER BY 1, 2"""
_TABLES = """
SELECT table_schema, table_name FROM information_schema.tables
 WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')"""
# As the risk service queues a listing whose details are the reason.
_QUEUE_DETAILS = """
INSERT INTO risk_reviews (id, category, activity, digest)
SELECT gen_random_uuid(), '', left(app.normalize_text(o.title || '. ' || o.details), 300),
       decode(md5(o.id::text), 'hex')
  FROM skill_offers o WHERE o.user_id = %s AND o.details <> ''"""

Connection = psycopg.Connection[Any]
_numbers = itertools.count(1)


def _with_word(value: Any) -> Any:
    """Return the JSON value with the word in every string but ids."""
    if isinstance(value, str):
        return value if parse_id(value) else f"{WORD} {value}"
    if isinstance(value, list):
        return [_with_word(item) for item in value]
    return {key: _with_word(item) for key, item in value.items()} if isinstance(value, dict) else value


def _candidates(column: str, kind: str, value: Any) -> Iterator[Any]:
    """Yield values with the word, in forms that columns accept."""
    number = next(_numbers)
    if kind == "jsonb":
        yield Jsonb(_with_word(value) if value else {"reason": WORD})
        yield Jsonb([{"name": WORD, "level": None}])
        return
    texts = [f"{WORD} {number}", f"{WORD}{number}", f"https://{WORD}{number}.example"]
    for text in [f"{WORD}{number}@mail.example"] if column.endswith("email") else texts:
        yield [text] if kind == "_text" else text


def _seed_more(conn: Connection, user_id: UUID) -> None:
    """Create the user's rows of which no path parameter names one."""
    now = clock.now()
    row = conn.execute(
        "SELECT d.id, o.id FROM documents d, skill_offers o WHERE d.user_id = %s AND o.user_id = d.user_id", [user_id]
    ).fetchone()
    assert row is not None
    photo = {
        "offer_id": row[1],
        "id": new_id(),
        "position": 0,
        "width": 1,
        "height": 1,
        "body": b"w",
        "thumbnail": b"w",
    }
    place = {"city": "Denver", "region": "Colorado", "latitude": 39.7, "longitude": -105.0}
    angel = {"service_id": "handyman-services", "rate_cents": 4000, "days": [1], "radius_miles": 5}
    file = {"id": new_id(), "key": new_id().hex, "kind": "application/pdf", "name": "license.pdf"}
    event = {"document_id": row[0], "id": new_id(), "kind": "submitted", "actor": "user"}
    grant = {"plan": "skill-sharer", "until": now + timedelta(days=9), "reason": "A gift"}
    service = conn.execute(
        "SELECT s.tenant_id, s.id FROM services s JOIN memberships m ON m.tenant_id = s.tenant_id"
        " WHERE m.user_id = %s LIMIT 1",
        [user_id],
    ).fetchone()
    assert service is not None
    review = {
        "guru_id": service[0], "service_id": service[1], "id": new_id(), "digest": b"w", "service": "w", "sentence": "w"
    }  # fmt: skip
    rows = {
        "angels": angel | place,
        "document_events": event,
        "document_files": file,
        "listing_photos": photo,
        "onboardings": {},
        "plan_grants": grant,
        "porch_lights": {"expires_at": now + timedelta(hours=1)},
        "risk_review_requests": review,
    }
    for table, values in rows.items():
        insert_row(conn, table, {"user_id": user_id} | values)


def _write_value(conn: Connection, table: str, column: str, place: str, candidates: Iterator[Any]) -> bool:
    """Write the first candidate that the column accepts; return whether there is one."""
    query = sql.SQL("UPDATE {} SET {} = %s WHERE ctid = %s::tid").format(sql.Identifier(table), sql.Identifier(column))
    for candidate in candidates:
        try:
            with conn.transaction():
                conn.execute(query, [candidate, place])
        except psycopg.errors.IntegrityError:
            continue
        return True
    return False


def _write_words(conn: Connection, owners: list[UUID]) -> dict[str, set[str]]:
    """Write the word into every text column of the owners' rows; return the columns that have it, by table."""
    written: dict[str, set[str]] = {}
    conn.execute("SET session_replication_role = replica")  # without triggers: some tables are append-only
    for table, column, kind, owner_columns in conn.execute(_TEXT_COLUMNS, [list(OWNER_COLUMNS)]).fetchall():
        if not {column, f"{table}.{column}"}.isdisjoint(FIXED | OF_GURU | ISSUED):
            continue
        for owner in ["id"] if table == "gurus" else owner_columns:
            of_table = written.setdefault(table, set())
            query = sql.SQL("SELECT ctid::text, {} FROM {} WHERE {} = ANY (%s)").format(
                sql.Identifier(column), sql.Identifier(table), sql.Identifier(owner)
            )
            for place, value in conn.execute(query, [owners]).fetchall():
                if _write_value(conn, table, column, place, _candidates(column, kind, value)):
                    of_table.add(column)
    conn.execute("SET session_replication_role = origin")
    return written


def _tables_with_word(database: Database, word: str = WORD) -> dict[str, list[str]]:
    """Return the rows that have the word, by table."""
    found = {}
    with psycopg.connect(database.superuser_url) as conn:
        for schema, table in conn.execute(_TABLES).fetchall():
            query = sql.SQL("SELECT t::text FROM {}.{} t WHERE t::text ILIKE %s")
            rows = conn.execute(query.format(sql.Identifier(schema), sql.Identifier(table)), [f"%{word}%"]).fetchall()
            if rows and f"{schema}.{table}" not in KEPT:
                found[f"{schema}.{table}"] = [row[0][:500] for row in rows]
    return found


async def _write_through_api(web: httpx.AsyncClient, headers: dict[str, str], guru: SeededGuru) -> None:
    """Write the word where rows have no owner: a report, an activity to assess, and a search."""
    report = {"kind": "site", "name": guru.label, "reason": "spam", "details": f"They say {WORD}."}
    response = await web.post("/api/reports", json=report, headers=headers | {"idempotency-key": str(new_id())})
    assert response.status_code == 201, response.text
    activity = {"skillCategory": "Crafts", "activityDescription": f"{WORD} with my own hands"}
    assert (await web.post("/api/liability/risk", json=activity, headers=headers)).status_code == 200
    assert (await web.get("/api/search", params={"q": f"{WORD} lessons"}, headers=headers)).status_code == 200


async def test_account_deletion_leaves_no_word_of_user(
    web: httpx.AsyncClient, emulator: Emulator, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    email, _, token = emulator.sign_up()
    headers = bearer_header(token)
    profile = await register_user(web, token)
    user_id = UUID(profile["id"])
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        own, other = (seed_guru(conn, f"g{new_id().hex[-12:]}") for _ in range(2))
        conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", [user_id, own.id])
        own.owner = user_id
        skills = Jsonb([{"name": f"{WORD} juggling", "level": None}])
        for name, factory in PATH_VALUES.items():
            if name not in NOT_OWN:
                factory(conn, SeededUser(user_id, profile["handle"], other if name in WITH_OTHER_GURU else own))
        conn.execute(
            "UPDATE profiles SET skills_offered = %s, skills_wanted = %s WHERE user_id = %s", [skills, skills, user_id]
        )
        _seed_more(conn, user_id)
        written = _write_words(conn, [user_id, own.id])
        assert conn.execute(_QUEUE_DETAILS, [user_id]).rowcount > 0
    await _write_through_api(web, headers, other)
    await do_jobs(database)
    present = _tables_with_word(database)
    assert {"public.phrases", "public.risk_reviews", "public.reports", "public.bookings"} <= set(present)
    assert {table for table, columns in written.items() if not columns} <= set(WITHOUT_WORDS)
    response = await web.delete("/api/auth/account", headers=headers)
    assert response.status_code == 200, response.text
    await do_jobs(database)
    purge_unused_phrases(database.service_url)  # names that the search index had until its job ran
    left = _tables_with_word(database)
    assert [row for row in left.pop("public.phrases") if f"{WORD} lessons" not in row] == []
    assert left == {}
    assert _tables_with_word(database, email) == {}
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute("SELECT FROM reports WHERE reporter_id = %s", [user_id]).fetchall() == []
    # What someone searched for is not known to be this user's; it is deleted after a week.
    later = clock.now() + 2 * SEARCHED_PHRASE_TTL
    monkeypatch.setattr(clock, "now", lambda: later)
    purge_unused_phrases(database.service_url)
    assert _tables_with_word(database) == {}


def test_tables_without_owner_have_a_reason(database: Database) -> None:
    """A new table with texts has a column of its owner, in which the test above writes, or a reason here."""
    with psycopg.connect(database.superuser_url) as conn:
        columns = conn.execute(_TEXT_COLUMNS, [list(OWNER_COLUMNS)]).fetchall()
    assert {table for table, _, _, owners in columns if not owners} == set(WITHOUT_OWNER)


async def test_export_contains_own_reports(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, _, token = emulator.sign_up()
    _, _, other = emulator.sign_up()
    for each in (token, other):
        await register_user(web, each)
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"g{new_id().hex[-12:]}")
    await _write_through_api(web, bearer_header(token), guru)
    for each, expected in ((token, [f"They say {WORD}."]), (other, [])):
        response = await web.get("/api/auth/export", headers=bearer_header(each))
        with zipfile.ZipFile(io.BytesIO(response.content)) as files:
            assert [report["details"] for report in json.loads(files.read("reports.json"))] == expected
            assert "reports.json" in files.read("README.txt").decode()
