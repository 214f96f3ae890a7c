"""Procedures of the operator's guide: provision an empty server, back up and restore."""

from __future__ import annotations

import uuid
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from porchlight.demo_data import gurus
from tenants.db import roles
from tenants.db.rls import rls_catalog_errors
from tests.fixtures.backups import dump, restore, run_postgres_program
from tests.fixtures.databases import Database, Server
from tests.fixtures.product import run_program


def contents(superuser_url: str) -> dict[str, tuple[int, str]]:
    """Return the row count and an order-independent checksum of every table."""
    contents_by_table = {}
    with psycopg.connect(superuser_url) as connection:
        tables = connection.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'jobs')"
        ).fetchall()
        for schema, table in tables:
            query = sql.SQL(
                "SELECT count(*), coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') FROM {} AS t"
            )
            row = connection.execute(query.format(sql.Identifier(schema, table))).fetchone()
            assert row is not None
            contents_by_table[f"{schema}.{table}"] = (row[0], row[1])
    return contents_by_table


def database_env(server: Server, name: str) -> dict[str, str]:
    database = server.database(name)
    return {
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OWNER_DATABASE_URL": database.owner_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "PORCHLIGHT_SUPERUSER_DATABASE_URL": server.superuser_url,
    }


def test_backup_restores_rows_and_rls_policies(server: Server, database: Database, tmp_path: Path) -> None:
    gurus.load_all(database.service_url)
    before = contents(database.superuser_url)
    assert before["public.posts"][0] > 40
    backup = tmp_path / "porchlight.dump"
    dump(database.superuser_url, backup)
    with server.empty() as restored:
        restore(restored.superuser_url, backup)
        assert contents(restored.superuser_url) == before
        assert rls_catalog_errors(restored.app_url) == []
        roles.require_least_privilege(restored.app_url)
        with psycopg.connect(restored.app_url) as connection:
            assert connection.execute("SELECT count(*) FROM posts").fetchone() == (0,)
        # The restored database needs no migration.
        code, output = run_program("migrate", env=database_env(server, restored.name))
        assert code == 0, output


@pytest.mark.parametrize("role", [roles.OWNER_ROLE, roles.SERVICE_ROLE, roles.APP_ROLE])
def test_backup_by_rls_role_fails(server: Server, database: Database, tmp_path: Path, role: str) -> None:
    address = database.superuser_url.replace(
        f"postgres:{server.passwords['postgres']}", f"{role}:{server.passwords[role]}"
    )
    assert role in address
    done = run_postgres_program("pg_dump", "--format=custom", f"--file={tmp_path / 'part.dump'}", address)
    assert done.returncode != 0


def test_empty_server_is_provisioned_and_migrated(server: Server) -> None:
    name = f"test_{uuid.uuid4().hex[:12]}"
    env = database_env(server, name)
    try:
        for _ in range(2):
            code, output = run_program("provision", env=env)
            assert code == 0, output
        code, output = run_program("migrate", env=env)
        assert code == 0, output
        assert rls_catalog_errors(env["DATABASE_URL"]) == []
    finally:
        with psycopg.connect(server.superuser_url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def test_provision_rejects_conflicting_urls(server: Server) -> None:
    env = database_env(server, "test_a")
    code, output = run_program("provision", env=env | {"DATABASE_URL": server.database("test_b").app_url})
    assert code == 1
    assert "different databases: test_a, test_b" in output
    code, output = run_program("provision", env=env | {"DATABASE_URL": env["PORCHLIGHT_OWNER_DATABASE_URL"]})
    assert code == 1
    assert "DATABASE_URL must name the role porchlight_app" in output
