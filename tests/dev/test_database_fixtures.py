"""The test fixtures: databases are new, separate, and used with the right roles."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.fixtures.databases import Database, Server, server_from, start_server
from tests.fixtures.ports import free_ports
from tests.fixtures.shared_resources import revive_shared_resources, shared_resource


def table_names(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return [row[0] for row in rows]


def test_database_has_schema_and_roles(database: Database) -> None:
    roles = {}
    for url in (database.superuser_url, database.owner_url, database.app_url, database.service_url):
        with psycopg.connect(url) as connection:
            row = connection.execute(
                "SELECT current_user::text, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
            assert row is not None
            roles[row[0]] = row[1:]
    assert roles == {
        "postgres": (True, True),
        "porchlight_owner": (False, False),
        "porchlight_app": (False, False),
        "porchlight_overseer": (False, False),
    }
    assert "alembic_version" in table_names(database.superuser_url)


def test_databases_are_separate(new_database: Callable[[], Database]) -> None:
    one, other = new_database(), new_database()
    with psycopg.connect(one.owner_url) as connection:
        connection.execute("CREATE TABLE only_here (id int)")
    assert "only_here" in table_names(one.superuser_url)
    assert "only_here" not in table_names(other.superuser_url)


def test_other_role_cannot_connect_to_clone(new_database: Callable[[], Database], server: Server) -> None:
    database = new_database()
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE stranger LOGIN PASSWORD 'x'"))
        try:
            stranger = database.app_url.replace(database.app_url.split("//")[1].split("@")[0], "stranger:x")
            with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
                psycopg.connect(stranger)
        finally:
            connection.execute("DROP ROLE stranger")


def test_databases_are_created_in_parallel(server: Server) -> None:
    def create_and_count(_: int) -> int:
        with server.fresh() as made:
            return len(table_names(made.superuser_url))

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(create_and_count, range(8)))
    assert len(set(counts)) == 1
    assert counts[0] > 1


def test_empty_database_has_roles_but_no_tables(empty_database: Database) -> None:
    assert table_names(empty_database.owner_url) == []


def test_stopped_server_starts_again(place: Path) -> None:
    """Start twice, because the worker that started the server may end before another one needs it."""
    place.mkdir(mode=0o711)
    for _ in range(2):
        facts, stop = start_server(place)
        try:
            with server_from(facts).fresh() as made:
                assert "alembic_version" in table_names(made.superuser_url)
        finally:
            stop()


def test_shared_fixture_starts_once_and_stops_last(tmp_path: Path) -> None:
    events: list[str] = []

    def start(_: object) -> tuple[dict[str, str], Callable[[], None]]:
        events.append("start")
        return {"at": "here"}, lambda: events.append("stop")

    with shared_resource(tmp_path, "thing", start) as first:
        with shared_resource(tmp_path, "thing", start) as second:
            assert first == second == {"at": "here"}
        assert events == ["start"]
    assert events == ["start", "stop"]


def test_shared_fixture_that_fails_starts_once_more(tmp_path: Path) -> None:
    attempts: list[int] = []

    def start(_: object) -> tuple[dict[str, str], Callable[[], None]]:
        attempts.append(len(attempts))
        if len(attempts) <= failures:
            raise AssertionError("node was slow")
        return {"at": "here"}, lambda: None

    failures = 1
    with shared_resource(tmp_path, "slow", start) as facts:
        assert facts == {"at": "here"}
    assert len(attempts) == 2
    failures = 4
    with pytest.raises(AssertionError, match="node was slow"), shared_resource(tmp_path, "broken", start):
        pass
    assert len(attempts) == 4


def test_shared_fixture_that_died_is_revived_once(tmp_path: Path) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    kept: list[object] = []

    def start(died: object) -> tuple[dict[str, Any], Callable[[], None]]:
        kept.append(died)
        processes.append(subprocess.Popen(["sleep", "600"]))
        return {"port": 7, "pid": processes[-1].pid}, processes[-1].kill

    with shared_resource(tmp_path, "thing", start) as facts:
        revive_shared_resources()
        assert len(processes) == 1
        processes[0].kill()
        processes[0].wait()
        revive_shared_resources()
        revive_shared_resources()
        assert kept == [None, facts]
        processes[1].kill()
        processes[1].wait()
        revive_shared_resources()
    assert len(processes) == 2


def test_free_ports_never_repeat() -> None:
    starts = [free_ports(4) for _ in range(20)]
    assert len({start + step for start in starts for step in range(4)}) == 80
    assert all(start + 3 < 32768 for start in starts)
