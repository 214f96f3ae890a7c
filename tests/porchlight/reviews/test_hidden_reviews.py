"""A hidden review is seen by its author's side only: as the app role, without any Python code, counts included."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_booking, seed_guru, seed_review, seed_user
from tests.tenants.isolation import changed_rows, set_tenant, set_user

SECOND, NEVER = timedelta(seconds=1), timedelta(days=14)
COUNTS = (
    "SELECT count(*) FROM reviews WHERE tenant_id = %s",
    "SELECT count(*) FROM public_reviews WHERE tenant_id = %s",
    "SELECT coalesce(sum(stars), 0) FROM reviews WHERE tenant_id = %s",
    "SELECT count(*) FROM neighbor_reviews WHERE tenant_id = %s",
)


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


@pytest.fixture
def own(database: Database) -> SeededGuru:
    """A guru with a booking without reviews."""
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"r{new_id().hex[-12:]}", posts=0)
        conn.execute("DELETE FROM reviews WHERE tenant_id = %s", [guru.id])
    return guru


def review(database: Database, guru: SeededGuru, side: str, **columns: Any) -> UUID:
    with psycopg.connect(database.service_url) as conn:
        return seed_review(conn, guru, side=side, **columns)


def seen(app: psycopg.Connection[Any], guru: SeededGuru, user: UUID | None, *, acting: bool = False) -> list[Any]:
    """Return what a transaction of a user or of the guru counts."""
    set_tenant(app, guru.id, acting=acting)
    set_user(app, user)
    counts = [(app.execute(query.encode(), [guru.id]).fetchone() or (None,))[0] for query in COUNTS]
    app.rollback()
    return counts


@pytest.mark.parametrize("side", ["person", "guru"])
def test_hidden_review_is_its_authors_only(
    database: Database, own: SeededGuru, app: psycopg.Connection[Any], side: str
) -> None:
    with psycopg.connect(database.service_url) as conn:
        other = seed_guru(conn, f"o{new_id().hex[-12:]}", posts=0)
    viewers = {
        "person": (own.person, False), "guru": (None, True), "visitor": (None, False), "neighbor": (new_id(), False),
        "owner": (own.owner, False), "impersonation": (None, False),
    }  # fmt: skip
    before = {name: seen(app, own, user, acting=acting) for name, (user, acting) in viewers.items()}
    review(database, own, side)
    after = {name: seen(app, own, user, acting=acting) for name, (user, acting) in viewers.items()}
    assert {name for name in viewers if before[name] != after[name]} == {side}
    set_tenant(app, other.id, acting=True)
    set_user(app, own.person if side == "guru" else None)
    assert app.execute("SELECT count(*) FROM reviews WHERE tenant_id = %s", [own.id]).fetchone() == (0,)


@pytest.mark.parametrize(("until_reveal", "visible"), [(SECOND * 30, 0), (-SECOND, 1)])
def test_other_side_sees_review_from_reveal_on(
    database: Database, own: SeededGuru, app: psycopg.Connection[Any], until_reveal: timedelta, visible: int
) -> None:
    review(database, own, "person", reveals_at=clock.now() + until_reveal)
    assert seen(app, own, None, acting=True)[0] == visible
    # Everyone else sees it once the minute's job has counted it.
    assert seen(app, own, None)[:2] == [0, 0]


def test_hidden_review_cannot_be_changed_by_others(
    database: Database, own: SeededGuru, app: psycopg.Connection[Any]
) -> None:
    review(database, own, "person", reveals_at=clock.now() + NEVER)
    reply = sql.SQL("UPDATE reviews SET reply = 'mine' WHERE tenant_id = %s")
    for user, acting in ((own.person, False), (None, True), (None, False)):
        set_tenant(app, own.id, acting=acting)
        set_user(app, user)
        assert changed_rows(app, sql.Composed([reply]), [own.id]) == 0
        app.rollback()


def test_only_reviewed_side_replies(database: Database, own: SeededGuru, app: psycopg.Connection[Any]) -> None:
    review(database, own, "person", reveals_at=clock.now() - SECOND)
    reply = sql.Composed([sql.SQL("UPDATE reviews SET reply = 'mine' WHERE tenant_id = %s")])
    for user, acting, changed in ((own.person, False, 0), (None, False, 0), (own.owner, False, 0), (None, True, 1)):
        set_tenant(app, own.id, acting=acting)
        set_user(app, user)
        assert changed_rows(app, reply, [own.id]) == changed, (user, acting)
        app.rollback()


@pytest.mark.parametrize("column", ["stars", "body", "private_note", "reveals_at", "published_at", "removed_why"])
def test_review_is_not_written_past_its_function(
    database: Database, own: SeededGuru, app: psycopg.Connection[Any], column: str
) -> None:
    review(database, own, "person", reveals_at=clock.now() - SECOND)
    for user, acting in ((own.person, False), (None, True)):
        set_tenant(app, own.id, acting=acting)
        set_user(app, user)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(sql.SQL("UPDATE reviews SET {0} = {0}").format(sql.Identifier(column)))
        app.rollback()
        for statement in ("DELETE FROM reviews", "INSERT INTO reviews DEFAULT VALUES"):
            set_tenant(app, own.id, acting=acting)
            set_user(app, user)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement.encode())
            app.rollback()


def test_review_is_written_by_its_side_only(database: Database, own: SeededGuru, app: psycopg.Connection[Any]) -> None:
    call = "SELECT app.submit_review(%s, %s, %s, 5::smallint, '', '', NULL, %s, '1 day')"
    for user, acting, side in (
        (None, False, "person"), (new_id(), False, "person"), (None, True, "person"), (own.person, False, "guru"),
        (None, False, "guru"), (own.owner, False, "guru"),
    ):  # fmt: skip
        set_tenant(app, own.id, acting=acting)
        set_user(app, user)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(call.encode(), [new_id(), own.booking, side, clock.now() + NEVER])
        app.rollback()


def test_neighbors_reviews_are_for_gurus_they_ask(database: Database, app: psycopg.Connection[Any]) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, other = (seed_guru(conn, f"n{new_id().hex[-12:]}", posts=0) for _ in range(2))
        person = seed_user(conn)
        earlier = seed_booking(conn, other, person, days_ahead=-3, status="completed")
        out = {"reveals_at": clock.now(), "published_at": clock.now()}
        seed_review(conn, other, earlier, side="guru", person_id=person, **out)
    count = "SELECT count(*) FROM neighbor_reviews WHERE tenant_id = %s AND guru_name = %s"

    def read(*, acting: bool) -> Any:
        set_tenant(app, own.id, acting=acting)
        found = app.execute(count.encode(), [own.id, f"Guru {other.mark}"]).fetchone()
        app.rollback()
        return found

    assert read(acting=True) == (0,), "the neighbor has not asked"
    expiry = clock.now() + timedelta(days=1)
    with psycopg.connect(database.service_url) as conn:
        booking = seed_booking(conn, own, person, days_ahead=9, status="requested", expires_at=expiry)
    assert read(acting=True) == (1,)
    assert read(acting=False) == (0,), "visitors and impersonation"
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE bookings SET status = 'declined', expires_at = NULL WHERE tenant_id = %s AND id = %s",
            [own.id, booking],
        )
    assert read(acting=True) == (0,), "the guru has answered"
