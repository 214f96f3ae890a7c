"""Visibility of the rows of two people: to these two only. As the app role, without any Python code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.exchanges.test_exchange_rows import seed_exchange
from tests.porchlight.factories import insert_row, seed_guru, seed_thread, seed_user
from tests.tenants.isolation import changed_rows, set_tenant, set_user

PAIR_TABLES = ("threads", "messages", "exchanges")
OWN_TABLES = ("thread_members", "inboxes", "message_files", "blocks")
VIEWS = ("thread_people", "exchange_people", "visible_message_files", "blocked_people")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people with a thread; another pair; and the owner of another guru."""

    sender: UUID
    reader: UUID
    thread: UUID
    others: tuple[UUID, UUID]
    owner: UUID
    guru: UUID


@pytest.fixture(scope="module")
def pair(database: Database) -> Pair:
    """Two people with a thread, an exchange, a file and a block, and others with theirs."""
    with psycopg.connect(database.service_url) as conn:
        people = [seed_user(conn) for _ in range(4)]
        thread = seed_thread(conn, people[0], people[1])
        seed_thread(conn, people[2], people[3])
        seed_exchange(conn, people[0], people[1])
        seed_exchange(conn, people[2], people[3])
        insert_row(conn, "blocks", {"user_id": people[0], "blocked_id": people[2]})
        guru = seed_guru(conn, "pairguru")
        assert guru.owner is not None
        return Pair(people[0], people[1], thread, (people[2], people[3]), guru.owner, guru.id)


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


def _count(conn: psycopg.Connection[Any], table: str) -> int:
    row = conn.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
    assert row is not None
    return int(row[0])


def test_pair_tables_are_all_tested(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        found = conn.execute(
            "SELECT DISTINCT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE a.attname = 'person_a_id' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert {name for (name,) in found} == set(PAIR_TABLES)


@pytest.mark.parametrize("table", PAIR_TABLES)
def test_both_people_see_their_row(pair: Pair, app: psycopg.Connection[Any], table: str) -> None:
    for user in (pair.sender, pair.reader):
        set_user(app, user)
        assert _count(app, table) == 1
        app.rollback()


@pytest.mark.parametrize("table", PAIR_TABLES + OWN_TABLES + VIEWS)
def test_others_see_no_row_of_the_pair(
    pair: Pair, app: psycopg.Connection[Any], database: Database, table: str
) -> None:
    # A neighbor without threads, another guru's owner who acts for the guru, a visitor, and staff in a guru's console.
    for user, tenant, acting in (
        (new_id(), None, False), (pair.owner, pair.guru, True), (None, pair.guru, False), (None, pair.guru, True),
        (None, None, False),
    ):  # fmt: skip
        set_user(app, user)
        set_tenant(app, tenant, acting=acting)
        assert _count(app, table) == 0, (user, tenant)
        app.rollback()


def test_other_pair_sees_its_own_thread_only(pair: Pair, app: psycopg.Connection[Any]) -> None:
    set_user(app, pair.others[0])
    assert app.execute("SELECT FROM threads WHERE id = %s", [pair.thread]).fetchall() == []
    assert _count(app, "threads") == 1
    assert app.execute("SELECT FROM thread_people WHERE thread_id = %s", [pair.thread]).fetchall() == []


@pytest.mark.parametrize("table", PAIR_TABLES)
def test_rows_of_pairs_are_changed_by_functions_only(pair: Pair, app: psycopg.Connection[Any], table: str) -> None:
    for user in (pair.sender, *pair.others, None):
        set_user(app, user)
        for verb in ("UPDATE {} SET person_a_id = person_a_id", "DELETE FROM {}"):
            assert changed_rows(app, sql.SQL(verb).format(sql.Identifier(table))) == 0
        app.rollback()


_FACTS = "SELECT app.delivery_facts(%s, NULL, NULL, 'k', '{}', app.now(), app.now(), 5)"


def test_functions_name_no_one_else(pair: Pair, app: psycopg.Connection[Any]) -> None:
    """Another pair's thread is unknown to the functions, and they deliver nothing across a block."""
    for user in (pair.others[0], None):
        set_user(app, user)
        assert app.execute(_FACTS, [pair.thread]).fetchone() == (None,)
        assert app.execute("SELECT FROM app.remove_message(%s, 1)", [pair.thread]).fetchall() == []
        app.rollback()
    set_user(app, pair.others[0])
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(
            "SELECT app.deliver_message(%s, %s, NULL, NULL, %s, 'Hi', '{}', 'k', '', false, NULL, NULL, '')",
            [new_id(), pair.sender, new_id()],
        )


def test_message_is_removed_by_its_sender_only(pair: Pair, app: psycopg.Connection[Any]) -> None:
    set_user(app, pair.reader)
    assert app.execute("SELECT FROM app.remove_message(%s, 1)", [pair.thread]).fetchall() == []
    app.rollback()
    set_user(app, pair.sender)
    assert len(app.execute("SELECT FROM app.remove_message(%s, 1)", [pair.thread]).fetchall()) == 1


def test_file_of_someone_else_is_not_attached(pair: Pair, app: psycopg.Connection[Any], database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        (file_id,) = conn.execute("SELECT id FROM message_files WHERE user_id = %s", [pair.others[0]]).fetchone() or ()
    set_user(app, pair.reader)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(
            "SELECT app.deliver_message(%s, %s, NULL, NULL, %s, '', %s, 'k', '', false, NULL, NULL, '')",
            [new_id(), pair.sender, new_id(), [file_id]],
        )
