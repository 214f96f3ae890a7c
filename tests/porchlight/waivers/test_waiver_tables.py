"""The tables of waivers: isolation, append-only links, and a waiver together with its link."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import append_waiver, seed_user

Connection = psycopg.Connection[Any]


def as_user(conn: Connection, user_id: UUID | None) -> None:
    """Set the user of the transaction."""
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id) if user_id else ""])


@pytest.fixture(scope="module")
def users(database: Database) -> list[UUID]:
    with psycopg.connect(database.service_url) as conn:
        return [seed_user(conn), seed_user(conn)]


def test_append_needs_user(database: Database) -> None:
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        append_waiver(conn, "platform")


def test_chain_numbers_have_no_gap(database: Database, users: list[UUID]) -> None:
    for user in (*users, users[0]):
        with psycopg.connect(database.app_url) as conn:
            as_user(conn, user)
            append_waiver(conn, "gapless")
    with psycopg.connect(database.service_url) as conn:
        links = conn.execute("SELECT number FROM waiver_links WHERE chain_id = 'gapless' ORDER BY 1").fetchall()
        heads = conn.execute("SELECT number FROM waiver_heads WHERE chain_id = 'gapless'").fetchall()
    assert (links, heads) == ([(1,), (2,), (3,)], [(3,)])


@pytest.mark.parametrize("change", [{"number": 5}, {"previous": "1" * 64}, {"chain_id": "other"}])
def test_link_that_skips_chain_end_is_rejected(database: Database, users: list[UUID], change: dict[str, Any]) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
            append_waiver(conn, "skipped", **change)


@pytest.mark.parametrize("column", ["record_sha256", "pdf_sha256"])
def test_link_of_other_content_fails_at_commit(database: Database, users: list[UUID], column: str) -> None:
    conn = psycopg.connect(database.app_url)
    as_user(conn, users[0])
    changes: dict[str, Any] = {column: "0" * 64}
    append_waiver(conn, "mismatched", **changes)
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.commit()
    conn.close()


@pytest.mark.parametrize("table", ["waivers", "waiver_links"])
def test_waiver_or_link_alone_fails_at_commit(database: Database, users: list[UUID], table: str) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        waiver_id = append_waiver(conn, f"alone-{table}")
    conn = psycopg.connect(database.superuser_url)
    as_user(conn, users[0])
    key = {"waivers": "id = %s", "waiver_links": "chain_id = (SELECT chain_id FROM waivers WHERE id = %s)"}[table]
    changes = {"waivers": {"id": str(new_id())}, "waiver_links": {}}[table] | {"number": 2}
    conn.execute(
        f"INSERT INTO {table} SELECT (jsonb_populate_record(t, %s)).* FROM {table} t WHERE {key}".encode(),
        [json.dumps(changes), waiver_id],
    )
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.commit()
    conn.close()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE waiver_links SET key_id = 'x'", "DELETE FROM waiver_links", "TRUNCATE waiver_links",
     "UPDATE waivers SET level = 'high'", "UPDATE waivers SET pdf = ''",
     "UPDATE waivers SET erasable = erasable || '{\"userAgent\": 1}'", "UPDATE waivers SET erasable = '{\"new\": 1}'",
     "UPDATE waivers SET ended_at = app.now() + interval '1 hour'", "UPDATE waivers SET withdrawn_at = ended_at"],
)  # fmt: skip
def test_stored_waiver_and_link_do_not_change(database: Database, users: list[UUID], statement: str) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        append_waiver(conn, "constant")
        conn.execute("UPDATE waivers SET ended_at = app.now() WHERE ended_at IS NULL")
    with psycopg.connect(database.superuser_url) as conn, pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.execute(statement.encode())


def test_app_role_sees_own_waivers_and_no_links(database: Database, users: list[UUID]) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        waiver_id = append_waiver(conn, "isolated")
    with psycopg.connect(database.app_url) as conn:
        for user, expected in ((users[0], 1), (users[1], 0), (None, 0)):
            as_user(conn, user)
            rows = conn.execute("SELECT FROM waivers WHERE id = %s", [waiver_id]).fetchall()
            links = conn.execute("SELECT FROM own_waiver_links WHERE waiver_id = %s", [waiver_id]).fetchall()
            changed = conn.execute("UPDATE waivers SET erasable = '{}' WHERE id = %s", [waiver_id]).rowcount
            assert (len(rows), len(links), changed) == (expected, expected, expected)


@pytest.mark.parametrize(
    "statement",
    ["SELECT FROM waiver_links", "SELECT FROM waiver_heads", "DELETE FROM waivers",
     "INSERT INTO waivers DEFAULT VALUES", "UPDATE waivers SET record = ''", "UPDATE waiver_heads SET number = 0"],
)  # fmt: skip
def test_app_role_cannot_write_past_functions(database: Database, users: list[UUID], statement: str) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement.encode())


def test_link_stays_when_old_waiver_is_deleted(database: Database, users: list[UUID]) -> None:
    with psycopg.connect(database.app_url) as conn:
        as_user(conn, users[0])
        waiver_id = append_waiver(conn, "old")
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("DELETE FROM waivers WHERE id = %s", [waiver_id]).rowcount == 1
    with psycopg.connect(database.service_url) as conn:
        assert len(conn.execute("SELECT FROM waiver_links WHERE chain_id = 'old'").fetchall()) == 1
