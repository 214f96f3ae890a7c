"""Row-level security of the users' tables: Postgres keeps each user's rows from other users."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg import sql

from porchlight.auth.models import Session, User
from porchlight.features.account.export import user_tables
from porchlight.features.profiles.models import Profile, ProfilePhoto
from tenants.db.rls import rls_catalog_errors
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database

TABLES = ["users", "profiles", "profile_photos", "sessions"]


Two = tuple[Any, Any]


@pytest.fixture(scope="module")
def two_users(database: Database) -> Two:
    """The ids of two users with a row in every table."""
    ids = (new_id(), new_id())
    with psycopg.connect(database.service_url) as conn:
        for number, user in enumerate(ids):
            conn.execute("INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, %s, 'e')", [user, f"u{number}"])
            conn.execute("INSERT INTO profiles (user_id, handle) VALUES (%s, %s)", [user, f"user-{number}"])
            conn.execute("INSERT INTO profile_photos (user_id, id, body) VALUES (%s, %s, 'x')", [user, new_id()])
            conn.execute(
                "INSERT INTO sessions (user_id, id, secret_hash, authenticated_at, token_issued_at, expires_at)"
                " VALUES (%s, %s, %s, app.now(), app.now(), app.now() + interval '1 day')",
                [user, new_id(), bytes([number])],
            )
    return ids


def _set_user(conn: psycopg.Connection[Any], user: Any) -> None:
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user) if user else ""])


def _count(conn: psycopg.Connection[Any], table: str) -> int:
    row = conn.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
    return int(row[0]) if row else -1


def test_user_tables_match_the_models() -> None:
    assert {table.name for table in user_tables()} >= set(TABLES)
    models = (User, Session, Profile, ProfilePhoto)
    assert {model.__tablename__ for model in models} == set(TABLES)


def test_rls_catalog_has_no_errors(database: Database) -> None:
    assert rls_catalog_errors(database.superuser_url) == []


@pytest.mark.parametrize("table", TABLES)
def test_user_reads_and_changes_only_own_rows(database: Database, two_users: Two, table: str) -> None:
    name = sql.Identifier(table)
    with psycopg.connect(database.app_url) as conn:
        assert _count(conn, table) == 0  # without a user id, no row is visible
        conn.rollback()
        _set_user(conn, two_users[0])
        assert _count(conn, table) == 1
        deleted = conn.execute(sql.SQL("DELETE FROM {} WHERE user_id = %s").format(name), [two_users[1]])
        assert deleted.rowcount == 0
        updated = conn.execute(
            sql.SQL("UPDATE {} SET user_id = user_id WHERE user_id <> %s").format(name), [two_users[0]]
        )
        assert updated.rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
            conn.execute(sql.SQL("UPDATE {} SET user_id = %s").format(name), [two_users[1]])
        conn.rollback()
        assert _count(conn, table) == 0  # the setting ends with its transaction
    with psycopg.connect(database.superuser_url) as conn:
        assert _count(conn, table) == 2


def test_user_cannot_insert_for_another_user(database: Database, two_users: Two) -> None:
    with psycopg.connect(database.app_url) as conn:
        _set_user(conn, two_users[0])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(
                "INSERT INTO profile_photos (user_id, id, body) VALUES (%s, %s, 'stolen')", [two_users[1], new_id()]
            )


def test_app_role_cannot_read_tables_of_functions(database: Database) -> None:
    with psycopg.connect(database.app_url) as conn:
        for statement in (
            "SELECT * FROM contact_messages",
            "DELETE FROM contact_messages",
            "SELECT * FROM sign_in_codes",
            "UPDATE sign_in_codes SET attempts = 0",
            "DELETE FROM flag_settings",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                conn.execute(statement)
