"""The harness itself: databases are fresh, apart, and reached with the right roles."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.support.databases import Database, Server, server_from, start_server
from tests.support.ports import free_ports
from tests.support.sharing import shared


def tables(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return [row[0] for row in rows]


def test_a_database_has_the_schema_and_each_role_its_place(database: Database) -> None:
    found = {}
    for url in (database.superuser_url, database.owner_url, database.app_url, database.overseer_url):
        with psycopg.connect(url) as connection:
            row = connection.execute(
                "SELECT current_user::text, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            assert row is not None
            found[row[0]] = row[1:]
    assert found == {
        "postgres": (True, True),
        "porchlight_owner": (False, False),
        "porchlight_app": (False, False),
        "porchlight_overseer": (False, False),
    }
    assert "alembic_version" in tables(database.superuser_url)


def test_what_one_database_holds_no_other_sees(new_database: Callable[[], Database]) -> None:
    one, other = new_database(), new_database()
    with psycopg.connect(one.owner_url) as connection:
        connection.execute("CREATE TABLE only_here (id int)")
    assert "only_here" in tables(one.superuser_url)
    assert "only_here" not in tables(other.superuser_url)


def test_strangers_cannot_connect_to_a_clone(new_database: Callable[[], Database], server: Server) -> None:
    made = new_database()
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE stranger LOGIN PASSWORD 'x'"))
        try:
            stranger = made.app_url.replace(made.app_url.split("//")[1].split("@")[0], "stranger:x")
            with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
                psycopg.connect(stranger)
        finally:
            connection.execute("DROP ROLE stranger")


def test_databases_can_be_made_at_the_same_time(server: Server) -> None:
    def make_and_count(_: int) -> int:
        with server.fresh() as made:
            return len(tables(made.superuser_url))

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(make_and_count, range(8)))
    assert len(set(counts)) == 1
    assert counts[0] > 1


def test_an_empty_database_has_roles_but_no_tables(empty_database: Database) -> None:
    assert tables(empty_database.owner_url) == []


def test_a_server_is_started_again_where_one_was_stopped(place: Path) -> None:
    """The lane that started the run's server may have left when the other one comes to need it."""
    place.mkdir(mode=0o711)
    for _ in range(2):
        facts, stop = start_server(place)
        try:
            with server_from(facts).fresh() as made:
                assert "alembic_version" in tables(made.superuser_url)
        finally:
            stop()


def test_a_shared_thing_is_started_once_and_stopped_by_its_starter_after_the_others(tmp_path: Path) -> None:
    events: list[str] = []

    def start() -> tuple[dict[str, str], Callable[[], None]]:
        events.append("start")
        return {"at": "here"}, lambda: events.append("stop")

    with shared(tmp_path, "thing", start) as first:
        with shared(tmp_path, "thing", start) as second:
            assert first == second == {"at": "here"}
        assert events == ["start"]
    assert events == ["start", "stop"]


def test_ports_are_never_handed_out_twice() -> None:
    given = [free_ports(4) for _ in range(20)]
    assert len({start + step for start in given for step in range(4)}) == 80
    assert all(start + 3 < 32768 for start in given)
