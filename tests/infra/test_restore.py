"""The drills of the operator's guide: provisioning an empty server, and a backup that really comes back."""

from __future__ import annotations

import subprocess
import uuid
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from porchlight.local.binaries import find_binaries
from porchlight.seeds import stories
from tenants import roles
from tenants.rls import catalogue_faults
from tests.support.databases import Database, Server
from tests.support.product import run_program


def contents(superuser_url: str) -> dict[str, tuple[int, str]]:
    """Every table's number of rows and a checksum of them, whatever their order."""
    found = {}
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
            found[f"{schema}.{table}"] = (row[0], row[1])
    return found


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    binaries = find_binaries(18)
    return subprocess.run([binaries.program(program), *words], capture_output=True, text=True, check=False)


def urls_of(server: Server, name: str) -> dict[str, str]:
    database = server.database(name)
    return {
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OWNER_DATABASE_URL": database.owner_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url,
        "PORCHLIGHT_SUPERUSER_DATABASE_URL": server.superuser_url,
    }


def test_a_backup_comes_back_whole_and_fenced(server: Server, database: Database, tmp_path: Path) -> None:
    stories.tell_all(database.overseer_url)
    before = contents(database.superuser_url)
    assert before["public.posts"][0] > 40
    backup = tmp_path / "porchlight.dump"
    done = run("pg_dump", "--format=custom", f"--file={backup}", database.superuser_url)
    assert done.returncode == 0, done.stderr
    with server.empty() as restored:
        words = ("--exit-on-error", "--single-transaction", "--clean", "--if-exists")
        done = run("pg_restore", *words, f"--dbname={restored.superuser_url}", str(backup))
        assert done.returncode == 0, done.stderr
        assert contents(restored.superuser_url) == before
        assert catalogue_faults(restored.app_url) == []
        roles.refuse_privilege(restored.app_url)
        with psycopg.connect(restored.app_url) as connection:
            assert connection.execute("SELECT count(*) FROM posts").fetchone() == (0,)
        # The release goes on where it was: nothing to migrate, and the command line sees the gurus.
        code, said = run_program("migrate", env=urls_of(server, restored.name))
        assert code == 0, said


@pytest.mark.parametrize("role", [roles.OWNER, roles.OVERSEER, roles.APP])
def test_a_backup_by_a_fenced_role_fails_rather_than_leaving_rows_out(
    server: Server, database: Database, tmp_path: Path, role: str
) -> None:
    address = database.superuser_url.replace(
        f"postgres:{server.passwords['postgres']}", f"{role}:{server.passwords[role]}"
    )
    assert role in address
    done = run("pg_dump", "--format=custom", f"--file={tmp_path / 'part.dump'}", address)
    assert done.returncode != 0


def test_an_empty_server_is_provisioned_and_migrated(server: Server) -> None:
    name = f"test_{uuid.uuid4().hex[:12]}"
    env = urls_of(server, name)
    try:
        for _ in range(2):
            code, said = run_program("provision", env=env)
            assert code == 0, said
        code, said = run_program("migrate", env=env)
        assert code == 0, said
        assert catalogue_faults(env["DATABASE_URL"]) == []
    finally:
        with psycopg.connect(server.superuser_url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def test_provisioning_refuses_addresses_that_contradict(server: Server) -> None:
    env = urls_of(server, "test_a")
    code, said = run_program("provision", env=env | {"DATABASE_URL": server.database("test_b").app_url})
    assert code == 1
    assert "different databases: test_a, test_b" in said
    code, said = run_program("provision", env=env | {"DATABASE_URL": env["PORCHLIGHT_OWNER_DATABASE_URL"]})
    assert code == 1
    assert "DATABASE_URL must name the role porchlight_app" in said
