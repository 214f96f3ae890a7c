"""Rows of exchanges: visible to the two people only, and written by decided steps only. As the app role."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_guru, seed_user
from tests.tenants.isolation import set_tenant, set_user


def seed_exchange(conn: psycopg.Connection[Any], teacher: UUID, learner: UUID, **columns: Any) -> UUID:
    """Create an exchange that waits for its teacher."""
    row_id, start = new_id(), clock.now() + timedelta(days=5)
    people = sorted((teacher, learner))
    row: dict[str, Any] = {
        "person_a_id": people[0], "person_b_id": people[1], "id": row_id, "teacher_id": teacher, "offer_id": new_id(),
        "skill": "Baking", "status": "asked", "turn": "teacher", "proposals": [start], "minutes": 60,
        "place": "online", "expires_at": start - timedelta(hours=2), "idempotency_key": row_id.hex, "digest": b"",
    }  # fmt: skip
    insert_row(conn, "exchanges", row | columns)
    return row_id


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


@pytest.fixture
def pair(database: Database) -> tuple[UUID, UUID, UUID]:
    """A teacher, a learner, and their exchange."""
    with psycopg.connect(database.superuser_url) as conn:
        teacher, learner = seed_user(conn), seed_user(conn)
        return teacher, learner, seed_exchange(conn, teacher, learner)


def _visible(app: psycopg.Connection[Any], exchange: UUID) -> int:
    rows = app.execute("SELECT 1 FROM exchanges WHERE id = %s", [exchange]).fetchall()
    people = app.execute("SELECT 1 FROM exchange_people WHERE exchange_id = %s", [exchange]).fetchall()
    assert len(rows) == len(people)
    return len(rows)


def test_exchange_is_visible_to_its_two_people(app: psycopg.Connection[Any], pair: tuple[UUID, UUID, UUID]) -> None:
    for person in pair[:2]:
        set_user(app, person)
        assert _visible(app, pair[2]) == 1
        app.rollback()


def test_exchange_is_hidden_from_others(
    app: psycopg.Connection[Any], pair: tuple[UUID, UUID, UUID], database: Database
) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        guru, third = seed_guru(conn, f"site-{new_id().hex[-8:]}", posts=0), seed_user(conn)
        conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", [pair[0], guru.id])
    # A visitor, a third neighbor, and staff in the console of the teacher's own site.
    for user, acting in ((None, False), (third, False), (None, True), (third, True)):
        set_tenant(app, guru.id, acting=acting)
        set_user(app, user)
        assert _visible(app, pair[2]) == 0, (user, acting)
        facts = "SELECT app.exchange_facts(%s, NULL, NULL, app.now(), '{}', 0, 10)"
        assert app.execute(facts, [pair[2]]).fetchone() == (None,)
        app.rollback()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE exchanges SET status = 'declined', turn = '', expires_at = NULL WHERE id = %s",
        "DELETE FROM exchanges WHERE id = %s",
    ],
)
def test_party_cannot_write_exchange_directly(
    app: psycopg.Connection[Any], pair: tuple[UUID, UUID, UUID], statement: str
) -> None:
    set_user(app, pair[0])
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(statement.encode(), [pair[2]])


def test_third_neighbor_cannot_apply_change(
    app: psycopg.Connection[Any], pair: tuple[UUID, UUID, UUID], database: Database
) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        third = seed_user(conn)
    set_user(app, third)
    change = f'{{"person_a_id": "{min(pair[:2])}", "id": "{pair[2]}", "status": "declined"}}'
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT app.apply_exchange(%s, NULL, '[]')", [change])


def test_two_confirmed_sessions_of_teacher_cannot_overlap(database: Database) -> None:
    start = clock.now() + timedelta(days=9)
    taken: dict[str, Any] = {
        "status": "confirmed", "turn": "", "expires_at": None, "starts_at": start, "ends_at": start + timedelta(hours=1)
    }  # fmt: skip
    with psycopg.connect(database.superuser_url) as conn:
        teacher = seed_user(conn)
        seed_exchange(conn, teacher, seed_user(conn), **taken)
        # One that begins when the other ends does not overlap.
        after = {"starts_at": taken["ends_at"], "ends_at": taken["ends_at"] + timedelta(hours=1)}
        seed_exchange(conn, teacher, seed_user(conn), **(taken | after))
        with pytest.raises(psycopg.errors.ExclusionViolation):
            seed_exchange(conn, teacher, seed_user(conn), **taken)
