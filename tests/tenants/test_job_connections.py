"""Connections that the worker keeps between jobs."""

from __future__ import annotations

import psycopg
import pytest

from tenants.db.job_connections import job_connection, kept_connections
from tenants.db.rows import Connection, fetch_value
from tenants.db.tasks import Job
from tenants.kit import timeouts
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.product import eventually


def pid(conn: Connection) -> int:
    return conn.info.backend_pid


def setting(conn: Connection, name: str) -> str:
    return fetch_value(conn, str, "SELECT coalesce(current_setting(%s, true), '')", [name]) or ""


def test_kept_connection_second_job_uses_it(database: Database) -> None:
    with kept_connections(database.app_url):
        pids = set()
        for _ in range(3):
            with job_connection(database.app_url) as conn:
                pids.add(pid(conn))
    assert len(pids) == 1


def test_kept_connection_next_job_sees_no_tenant(database: Database) -> None:
    with kept_connections(database.app_url):
        with Job(id=1, app_dsn=database.app_url, tenant_id=new_id(), user_id=new_id()).transaction() as conn:
            first = pid(conn)
            assert setting(conn, "app.tenant_id")
        with job_connection(database.app_url) as conn:
            assert pid(conn) == first
            names = ("app.tenant_id", "app.user_id", "app.acting_tenant_id", "app.job_id")
            assert [setting(conn, name) for name in names] == [""] * 4


def test_kept_connection_failed_job_leaves_nothing(database: Database) -> None:

    def fail() -> None:
        with job_connection(database.service_url) as conn:
            conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('booking', false)")
            raise ZeroDivisionError

    with kept_connections(database.service_url):
        with pytest.raises(ZeroDivisionError):
            fail()
        with job_connection(database.service_url) as conn:
            assert fetch_value(conn, int, "SELECT count(*)::int FROM flag_settings WHERE NOT enabled") == 0


def test_kept_connection_server_closed_it_opens_another(database: Database) -> None:
    with kept_connections(database.app_url):
        with job_connection(database.app_url) as conn:
            first = pid(conn)
        with psycopg.connect(database.superuser_url, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(%s)", [first])
            gone = "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s)"
            eventually("the connection is closed", lambda: admin.execute(gone, [first]).fetchone() == (True,))
        with job_connection(database.app_url) as conn:
            assert pid(conn) != first


@pytest.mark.parametrize("is_kept", [True, False])
def test_job_connection_limits_its_statements(database: Database, is_kept: bool) -> None:
    limits = timeouts.current
    with kept_connections(*([database.app_url] if is_kept else [])), job_connection(database.app_url) as conn:
        found = [
            fetch_value(conn, str, "SELECT setting FROM pg_settings WHERE name = %s", [name])
            for name in ("statement_timeout", "lock_timeout")
        ]
    assert found == [str(limits.job_statement_ms), str(limits.job_lock_ms)]
