"""Permissions of the app role: with a tenant, with another tenant, and without one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, row_digests, seed_guru
from tests.tenants.isolation import changed_rows, isolated_tables, isolation_errors, set_tenant


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "alpha"), seed_guru(conn, "beta")


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection in the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


def _tables(database: Database) -> dict[str, str]:
    with psycopg.connect(database.superuser_url) as conn:
        return isolated_tables(conn)


def test_rls_with_tenant_shows_only_own_rows(database: Database, gurus: tuple[SeededGuru, SeededGuru]) -> None:
    own, other = gurus
    assert isolation_errors(database, own, other) == []
    assert isolation_errors(database, other, own) == []


@pytest.mark.parametrize("tenant", ["never set", "set to empty", "set in an earlier transaction"])
def test_rls_without_tenant_blocks_reads_and_writes(
    database: Database, gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any], tenant: str
) -> None:
    own, _ = gurus
    with psycopg.connect(database.service_url) as service:
        before = row_digests(service, own)
        service.rollback()
        for table, key in _tables(database).items():
            if tenant == "set to empty":
                set_tenant(app, None)
            elif tenant == "set in an earlier transaction":
                set_tenant(app, own.id)
                app.commit()
            name, column = sql.Identifier(table), sql.Identifier(key)
            visible = app.execute(sql.SQL("SELECT count(*) FROM {}").format(name)).fetchone()
            assert visible == (0,), table
            assert changed_rows(app, sql.SQL("UPDATE {} SET {} = {}").format(name, column, column)) == 0, table
            assert changed_rows(app, sql.SQL("DELETE FROM {}").format(name)) == 0, table
            app.commit()
            row = service.execute(
                sql.SQL("SELECT * FROM {} WHERE {} = %s LIMIT 1").format(name, column), [own.id]
            ).fetchone()
            if row is not None:
                columns = [d.name for d in service.execute(sql.SQL("SELECT * FROM {}").format(name)).description or ()]
                copy = sql.SQL("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT DO NOTHING").format(
                    name,
                    sql.SQL(", ").join(map(sql.Identifier, columns)),
                    sql.SQL(", ").join(sql.Placeholder() * len(columns)),
                )
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    app.execute(copy, [Jsonb(value) if isinstance(value, dict) else value for value in row])
                app.rollback()
            service.rollback()
        assert row_digests(service, own) == before


def test_rls_blocks_writes_for_other_tenant(gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]) -> None:
    own, other = gurus
    for statement in (
        "INSERT INTO services (tenant_id, id, name, price_cents, duration_minutes) VALUES (%s, %s, 'x', 1, 60)",
        "INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, '2020-01-01', length(%s::text))",
    ):
        set_tenant(app, own.id)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(statement.encode(), [other.id, new_id()])
        app.rollback()
    set_tenant(app, own.id)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("UPDATE services SET tenant_id = %s", [other.id])


def test_lead_with_other_gurus_service_is_rejected(
    gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]
) -> None:
    own, other = gurus
    set_tenant(app, own.id)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        app.execute("UPDATE leads SET service_id = %s", [other.services[0]])


FORBIDDEN = [
    "TRUNCATE leads",
    "TRUNCATE gurus CASCADE",
    "SET ROLE porchlight_owner",
    "SET ROLE porchlight_overseer",
    "SET SESSION AUTHORIZATION porchlight_owner",
    "ALTER TABLE leads DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE leads NO FORCE ROW LEVEL SECURITY",
    "ALTER ROLE porchlight_app BYPASSRLS",
    "CREATE POLICY wide ON leads USING (true)",
    "DROP POLICY tenant ON leads",
    "CREATE TABLE mine (id int)",
    "CREATE TABLE app.mine (id int)",
    "CREATE TEMP TABLE gurus (id int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION app.tenant_id() RETURNS uuid LANGUAGE sql RETURN NULL",
    "CREATE OR REPLACE FUNCTION app.tenant_id() RETURNS uuid LANGUAGE sql RETURN NULL",
    "SELECT * FROM jobs.procrastinate_jobs",
    "SELECT jobs.procrastinate_fetch_job_v2(NULL, 1)",
    "SELECT * FROM dev_mailbox",
    "INSERT INTO dev_mailbox (id, key, recipient, subject, plain, html) VALUES (app.tenant_id(), '', '', '', '', '')",
    "SELECT * FROM alembic_version",
    "UPDATE daily_salts SET salt = ''",
    "DELETE FROM daily_salts",
    "COPY leads TO '/tmp/leads'",
    "COPY leads TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_create(0)",
    "SELECT lo_creat(-1)",
    "SELECT lo_from_bytea(0, 'kept')",
    "SELECT lo_get(1)",
    "CREATE TEMP TABLE mine AS SELECT 1",
    "CREATE VIEW mine AS SELECT 1",
    "CREATE EXTENSION file_fdw",
    "SET session_replication_role = replica",
    "INSERT INTO gurus (id, label, character, category) VALUES (app.tenant_id(), 'mine', '', '')",
    "UPDATE gurus SET label = 'mine'",
    "UPDATE gurus SET status = 'active'",
    "UPDATE gurus SET published = false",
    "DELETE FROM gurus",
    "INSERT INTO memberships (tenant_id, user_id) VALUES (app.tenant_id(), app.user_id())",
    "UPDATE memberships SET user_id = app.user_id()",
    "DELETE FROM memberships",
    "INSERT INTO retired_labels (tenant_id, label) VALUES (app.tenant_id(), 'mine')",
    "DELETE FROM retired_labels",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_app_role_statement_is_rejected(app: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedObject)) as error:
        app.execute(statement.encode())
    assert "already exists" not in str(error.value)


def test_row_security_off_raises_error(gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]) -> None:
    app.execute("SET row_security = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        app.execute("SELECT * FROM leads")


def test_lookup_functions_return_what_every_visitor_meets(
    gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]
) -> None:
    _, other = gurus
    set_tenant(app, gurus[0].id)
    for name in (other.label, other.former, other.domain):
        result = app.execute("SELECT * FROM app.find_site(%s)", [name])
        columns = [column.name for column in result.description or ()]
        assert columns == ["id", "label", "status", "main_domain", "domains"]
        assert result.fetchall() == [(other.id, other.label, "active", None, [[other.domain, None, False]])]
    for pattern in ("%", "al%", "", "ALPHA", "alpha' OR '1'='1"):
        assert app.execute("SELECT * FROM app.find_site(%s)", [pattern]).fetchall() == []


def test_enqueue_sets_tenant_of_transaction(
    database: Database, gurus: tuple[SeededGuru, SeededGuru], app: psycopg.Connection[Any]
) -> None:
    own, other = gurus
    set_tenant(app, own.id)
    job = app.execute(
        "SELECT app.enqueue_task('leads:notify_guru', jsonb_build_object('tenant_id', %s::text), false)",
        [str(other.id)],
    ).fetchone()
    app.commit()
    with psycopg.connect(database.service_url) as service:
        args = service.execute("SELECT args ->> 'tenant_id' FROM jobs.procrastinate_jobs WHERE id = %s", job).fetchone()
    assert args == (str(own.id),)
