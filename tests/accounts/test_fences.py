"""The fences of users' own tables: Postgres itself keeps one user's rows from another."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import sql

from porchlight.accounts import models
from porchlight.accounts.export import own_tables
from tenants.kit.ids import new_id
from tenants.rls import catalogue_faults
from tests.support.databases import Database

TABLES = ["users", "profiles", "photos", "sessions"]
Two = tuple[Any, Any]


@pytest.fixture(scope="module")
def two(database: Database) -> Two:
    """Two users with a row in every table."""
    ids = (new_id(), new_id())
    with psycopg.connect(database.overseer_url) as conn:
        for number, user in enumerate(ids):
            conn.execute("INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, %s, 'e')", [user, f"u{number}"])
            conn.execute("INSERT INTO profiles (user_id, handle) VALUES (%s, %s)", [user, f"user-{number}"])
            conn.execute("INSERT INTO photos (user_id, id, body) VALUES (%s, %s, 'x')", [user, new_id()])
            conn.execute(
                "INSERT INTO sessions (user_id, id, secret_hash, authenticated_at, token_issued_at, expires_at)"
                " VALUES (%s, %s, %s, now(), now(), now() + interval '1 day')",
                [user, new_id(), bytes([number])],
            )
    return ids


def _as(conn: psycopg.Connection[Any], user: Any) -> None:
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user) if user else ""])


def _count(conn: psycopg.Connection[Any], table: str) -> int:
    row = conn.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
    return int(row[0]) if row else -1


def test_every_table_is_here() -> None:
    assert {table.name for table in own_tables()} >= set(TABLES)
    assert {model.__tablename__ for model in (models.User, models.Profile, models.Photo, models.Session)} == set(TABLES)


def test_the_catalogue_is_clean(database: Database) -> None:
    assert catalogue_faults(database.superuser_url) == []


@pytest.mark.parametrize("table", TABLES)
def test_one_user_sees_and_changes_their_own(database: Database, two: Two, table: str) -> None:
    name = sql.Identifier(table)
    with psycopg.connect(database.app_url) as conn:
        assert _count(conn, table) == 0  # nobody is set: nothing is there
        conn.rollback()
        _as(conn, two[0])
        assert _count(conn, table) == 1
        other = conn.execute(sql.SQL("DELETE FROM {} WHERE user_id = %s").format(name), [two[1]])
        assert other.rowcount == 0
        taken = conn.execute(sql.SQL("UPDATE {} SET user_id = user_id WHERE user_id <> %s").format(name), [two[0]])
        assert taken.rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
            conn.execute(sql.SQL("UPDATE {} SET user_id = %s").format(name), [two[1]])
        conn.rollback()
        assert _count(conn, table) == 0  # the setting ended with its transaction
    with psycopg.connect(database.superuser_url) as conn:
        assert _count(conn, table) == 2


def test_nobody_writes_in_anothers_name(database: Database, two: Two) -> None:
    with psycopg.connect(database.app_url) as conn:
        _as(conn, two[0])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("INSERT INTO photos (user_id, id, body) VALUES (%s, %s, 'mine now')", [two[1], new_id()])


def test_requests_cannot_read_contact_messages(database: Database) -> None:
    with psycopg.connect(database.app_url) as conn:
        for statement in (
            "SELECT * FROM contact_messages",
            "DELETE FROM contact_messages",
            "DELETE FROM flag_settings",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                conn.execute(statement)
