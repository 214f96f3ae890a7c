"""Columns that requests may write, and decisions that they cannot make even with SQL of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru, seed_user
from tests.tenants.isolation import set_tenant

LISTING = Path(__file__).parents[1] / "data" / "app-privileges.txt"
DENIED = (psycopg.errors.InsufficientPrivilege,)
_COLUMNS = """
SELECT c.relname, a.attname, has_column_privilege('porchlight_app', c.oid, a.attnum, 'INSERT'),
       has_column_privilege('porchlight_app', c.oid, a.attnum, 'UPDATE')
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1, 2"""
_EXTRAS = """
SELECT has_database_privilege('porchlight_app', current_database(), 'TEMPORARY'),
       has_database_privilege('porchlight_app', current_database(), 'CREATE'),
       (SELECT array_agg(n.nspname::text) FROM pg_namespace n
         WHERE has_schema_privilege('porchlight_app', n.oid, 'CREATE')),
       (SELECT array_agg(p.proname::text) FROM pg_proc p
         WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '^(lo_|loread$|lowrite$)'
           AND has_function_privilege('porchlight_app', p.oid, 'EXECUTE'))"""


def privileges(conn: psycopg.Connection[Any]) -> str:
    """Return a line per table with the columns that the app role may write."""
    tables: dict[str, dict[str, list[str]]] = {}
    for table, column, may_insert, may_update in conn.execute(_COLUMNS):
        words = {"both": may_insert and may_update, "insert": may_insert, "update": may_update}
        if word := next((word for word, applies in words.items() if applies), None):
            tables.setdefault(table, {}).setdefault(word, []).append(column)
    lines = [
        f"{table}: " + "; ".join(f"{word} {' '.join(columns)}" for word, columns in sorted(written.items()))
        for table, written in sorted(tables.items())
    ]
    return "\n".join(lines) + "\n"


def test_app_role_writes_only_listed_columns(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        found = privileges(conn)
    # A new line here is a column that every request may write: is it a fact that a request knows, or a decision?
    assert found.splitlines() == LISTING.read_text().splitlines(), f"check each change, then write {LISTING}:\n{found}"


def test_app_role_has_no_room_of_its_own(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute(_EXTRAS).fetchone() == (False, False, None, None)


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, f"guru-{new_id().hex[-8:]}", posts=0)


@pytest.fixture
def request_of(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the app role, as an injected statement would have it."""
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        yield conn


def as_user(conn: psycopg.Connection[Any], user_id: UUID, statement: str, *values: Any) -> psycopg.Cursor[Any]:
    """Execute a statement with the user set, in a transaction of its own."""
    with conn.transaction():
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
        return conn.execute(statement.encode(), values)


def create_document(database: Database, status: str) -> UUID:
    """Create a document of a new user, and return the user's id."""
    with psycopg.connect(database.service_url) as conn:
        user_id = seed_user(conn)
        row = {"id": new_id(), "type": "license", "file_url": "https://files.example/a", "number": "1"}
        insert_row(conn, "documents", {"user_id": user_id, "status": status} | row)
    return user_id


_INSERT_DOCUMENT = "INSERT INTO documents (user_id, id, type, file_url, {}) VALUES (%s, %s, 'license', 'https://x', {})"


@pytest.mark.parametrize(
    ("column", "value"), [("status", "'approved'"), ("reviewed_at", "app.now()"), ("reason", "'Looks good.'")]
)
def test_request_cannot_submit_reviewed_document(
    database: Database, request_of: psycopg.Connection[Any], column: str, value: str
) -> None:
    user_id = create_document(database, "pending")
    with pytest.raises(DENIED):
        as_user(request_of, user_id, _INSERT_DOCUMENT.format(column, value), user_id, new_id())


@pytest.mark.parametrize("before", ["pending", "rejected", "lapsed", "approved"])
def test_request_cannot_approve_document(database: Database, request_of: psycopg.Connection[Any], before: str) -> None:
    user_id = create_document(database, before)
    if before == "approved":
        with pytest.raises(DENIED):
            as_user(request_of, user_id, "UPDATE documents SET status = 'pending'")
    else:
        assert as_user(request_of, user_id, "UPDATE documents SET status = 'approved'").rowcount == 0
    for column, value in (("expires_on", "'2099-01-01'"), ("reviewed_at", "app.now()"), ("reason", "''")):
        with pytest.raises(DENIED):
            as_user(request_of, user_id, f"UPDATE documents SET {column} = {value}")


def test_request_cannot_write_review_history(database: Database, request_of: psycopg.Connection[Any]) -> None:
    user_id = create_document(database, "pending")
    insert = "INSERT INTO document_events (user_id, document_id, id, kind, actor) SELECT user_id, id, %s, %s, 'owner'"
    insert += " FROM documents"
    as_user(request_of, user_id, insert, new_id(), "opened")
    for kind in ("approved", "rejected"):
        with pytest.raises(DENIED):
            as_user(request_of, user_id, insert, new_id(), kind)
    for statement in ("UPDATE document_events SET kind = 'approved'", "DELETE FROM document_events"):
        with pytest.raises(DENIED):
            as_user(request_of, user_id, statement)


@pytest.mark.parametrize(
    "flags", ["charges_enabled", "payouts_enabled", "details_submitted", "checked_at", "destinations"]
)
def test_request_cannot_enable_payouts(database: Database, request_of: psycopg.Connection[Any], flags: str) -> None:
    value = {"checked_at": "app.now()", "destinations": "'{ba_1}'"}.get(flags, "true")
    with psycopg.connect(database.service_url) as conn:
        user_id, other = seed_user(conn), seed_user(conn)
    insert = "INSERT INTO payout_accounts (user_id, account_id{}) VALUES (%s, %s{})"
    with pytest.raises(DENIED):
        as_user(request_of, other, insert.format(f", {flags}", f", {value}"), other, f"acct_{other.hex}")
    as_user(request_of, user_id, insert.format("", ""), user_id, f"acct_{user_id.hex}")
    assert as_user(request_of, user_id, f"UPDATE payout_accounts SET {flags} = {value}").rowcount == 0
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE payout_accounts SET connected = false WHERE user_id = %s", [user_id])
    # A disconnected account is replaced by one without a state.
    if flags != "destinations":
        with pytest.raises(DENIED):
            as_user(request_of, user_id, f"UPDATE payout_accounts SET connected = true, {flags} = {value}")
    replaced = "UPDATE payout_accounts SET connected = true, account_id = %s"
    assert as_user(request_of, user_id, replaced, f"acct_new_{user_id.hex}").rowcount == 1


def test_request_cannot_prove_domain(database: Database, guru: SeededGuru, request_of: psycopg.Connection[Any]) -> None:
    domain = f"{new_id().hex}.example"

    def in_tenant(statement: str, *values: Any) -> None:
        with request_of.transaction():
            set_tenant(request_of, guru.id)
            request_of.execute(statement.encode(), values)

    for columns, value in (("verified_at", "app.now()"), ("proof", "'operator'"), ("certificate_until", "app.now()")):
        with pytest.raises(DENIED):
            in_tenant(f"INSERT INTO domains (tenant_id, domain, {columns}) VALUES (%s, %s, {value})", guru.id, domain)
    in_tenant("INSERT INTO domains (tenant_id, domain, next_check_at) VALUES (%s, %s, app.now())", guru.id, domain)
    changes = ("verified_at = app.now()", "proof = 'operator'", "certificate_until = app.now()", "outcome = 'ok'",
               "domain = 'bank.example'", "token = 'known'", "found = ''")  # fmt: skip
    for change in changes:
        with pytest.raises(DENIED):
            in_tenant(f"UPDATE domains SET {change}")
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT verified_at, proof, certificate_until, outcome FROM domains WHERE domain = %s"
        assert conn.execute(query, [domain]).fetchone() == (None, "dns", None, "")
        # The worker can.
        proven = "UPDATE domains SET verified_at = app.now() WHERE domain = %s RETURNING verified_at IS NOT NULL"
        assert conn.execute(proven, [domain]).fetchone() == (True,)


def test_request_cannot_lift_suspension(database: Database, request_of: psycopg.Connection[Any]) -> None:
    with psycopg.connect(database.service_url) as conn:
        user_id = seed_user(conn)
        conn.execute("UPDATE users SET status = 'suspended' WHERE user_id = %s", [user_id])
    with pytest.raises(DENIED):
        as_user(request_of, user_id, "UPDATE users SET status = 'active'")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET status = 'active' WHERE user_id = %s", [user_id])
    assert as_user(request_of, user_id, "UPDATE users SET status = 'active', updated_at = app.now()").rowcount == 1


@pytest.mark.parametrize("column", ["jobs", "ratings", "rating_sum"])
def test_request_cannot_count_work_of_angel(
    database: Database, request_of: psycopg.Connection[Any], column: str
) -> None:
    with psycopg.connect(database.service_url) as conn:
        user_id = seed_user(conn)
    with pytest.raises(DENIED):
        as_user(request_of, user_id, f"UPDATE angels SET {column} = 5")
    with pytest.raises(DENIED):
        as_user(request_of, user_id, f"INSERT INTO angels (user_id, {column}) VALUES (%s, 5)", user_id)


def test_request_cannot_change_waivers_of_booking(request_of: psycopg.Connection[Any]) -> None:
    with pytest.raises(DENIED):
        as_user(request_of, new_id(), "SELECT app.cover_booking(%s)", new_id())
