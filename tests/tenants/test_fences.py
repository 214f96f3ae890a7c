"""What the app role can do at all, with a tenant, with another, and with none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from tenants.kit.ids import new_id
from tests.platform_.world import Told, checksum, tell
from tests.support.databases import Database
from tests.tenants.fences import breaches, changed, fenced, set_tenant


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[Told, Told]:
    with psycopg.connect(database.overseer_url) as conn:
        return tell(conn, "alpha"), tell(conn, "beta")


@pytest.fixture
def app(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection as the app role."""
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


def _tables(database: Database) -> dict[str, str]:
    with psycopg.connect(database.superuser_url) as conn:
        return fenced(conn)


def test_a_guru_meets_their_own_rows_alone(database: Database, gurus: tuple[Told, Told]) -> None:
    own, other = gurus
    assert breaches(database, own, other) == []
    assert breaches(database, other, own) == []


@pytest.mark.parametrize("how", ["never set", "set to nothing", "set in a transaction that is over"])
def test_without_a_tenant_everything_reads_empty_and_nothing_is_written(
    database: Database, gurus: tuple[Told, Told], app: psycopg.Connection[Any], how: str
) -> None:
    own, _ = gurus
    with psycopg.connect(database.overseer_url) as watch:
        before = checksum(watch, own)
        watch.rollback()
        for table, key in _tables(database).items():
            if how == "set to nothing":
                set_tenant(app, None)
            elif how == "set in a transaction that is over":
                set_tenant(app, own.id)
                app.commit()
            name, column = sql.Identifier(table), sql.Identifier(key)
            seen = app.execute(sql.SQL("SELECT count(*) FROM {}").format(name)).fetchone()
            assert seen == (0,), table
            assert changed(app, sql.SQL("UPDATE {} SET {} = {}").format(name, column, column)) == 0, table
            assert changed(app, sql.SQL("DELETE FROM {}").format(name)) == 0, table
            app.commit()
            row = watch.execute(
                sql.SQL("SELECT * FROM {} WHERE {} = %s LIMIT 1").format(name, column), [own.id]
            ).fetchone()
            if row is not None:
                columns = [d.name for d in watch.execute(sql.SQL("SELECT * FROM {}").format(name)).description or ()]
                copy = sql.SQL("INSERT INTO {} ({}) VALUES ({}) ON CONFLICT DO NOTHING").format(
                    name,
                    sql.SQL(", ").join(map(sql.Identifier, columns)),
                    sql.SQL(", ").join(sql.Placeholder() * len(columns)),
                )
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    app.execute(copy, [Jsonb(value) if isinstance(value, dict) else value for value in row])
                app.rollback()
            watch.rollback()
        assert checksum(watch, own) == before


def test_a_guru_writes_no_row_for_another(gurus: tuple[Told, Told], app: psycopg.Connection[Any]) -> None:
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


def test_a_lead_cannot_name_another_gurus_service(gurus: tuple[Told, Told], app: psycopg.Connection[Any]) -> None:
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
    "CREATE FUNCTION app.tid() RETURNS uuid LANGUAGE sql RETURN NULL",
    "CREATE OR REPLACE FUNCTION app.tid() RETURNS uuid LANGUAGE sql RETURN NULL",
    "SELECT * FROM jobs.procrastinate_jobs",
    "SELECT jobs.procrastinate_fetch_job_v2(NULL, 1)",
    "SELECT * FROM mailbox",
    "INSERT INTO mailbox (id, key, recipient, subject, plain, html) VALUES (app.tid(), '', '', '', '', '')",
    "SELECT * FROM alembic_version",
    "UPDATE daily_salts SET salt = ''",
    "DELETE FROM daily_salts",
    "COPY leads TO '/tmp/leads'",
    "COPY leads TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "CREATE EXTENSION file_fdw",
    "SET session_replication_role = replica",
    "INSERT INTO gurus (id, label, character, category) VALUES (app.tid(), 'mine', '', '')",
    "UPDATE gurus SET label = 'mine'",
    "UPDATE gurus SET status = 'active'",
    "UPDATE gurus SET published = false",
    "DELETE FROM gurus",
    "INSERT INTO memberships (tenant_id, user_id) VALUES (app.tid(), app.uid())",
    "UPDATE memberships SET user_id = app.uid()",
    "DELETE FROM memberships",
    "INSERT INTO retired_labels (tenant_id, label) VALUES (app.tid(), 'mine')",
    "DELETE FROM retired_labels",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_app_role_may_not(app: psycopg.Connection[Any], statement: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedObject)) as refused:
        app.execute(statement.encode())
    assert "already exists" not in str(refused.value)


def test_turning_row_security_off_shows_nothing(gurus: tuple[Told, Told], app: psycopg.Connection[Any]) -> None:
    app.execute("SET row_security = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        app.execute("SELECT * FROM leads")


def test_a_name_tells_id_label_and_status_and_no_more(gurus: tuple[Told, Told], app: psycopg.Connection[Any]) -> None:
    _, other = gurus
    set_tenant(app, gurus[0].id)
    for function, name in (("find_label", other.label), ("find_label", other.former), ("find_domain", other.domain)):
        found = app.execute(f"SELECT * FROM app.{function}(%s)".encode(), [name])
        assert [column.name for column in found.description or ()] == ["id", "label", "status"]
        assert found.fetchall() == [(other.id, other.label, "active")]
    for pattern in ("%", "al%", "", "ALPHA", "alpha' OR '1'='1"):
        assert app.execute("SELECT * FROM app.find_label(%s)", [pattern]).fetchall() == []


def test_a_job_carries_the_tenant_of_its_transaction_whatever_its_arguments_say(
    database: Database, gurus: tuple[Told, Told], app: psycopg.Connection[Any]
) -> None:
    own, other = gurus
    set_tenant(app, own.id)
    made = app.execute(
        "SELECT app.enqueue('tell_guru_of_lead', jsonb_build_object('tenant_id', %s::text, 'lead_id', 'x'), NULL)",
        [str(other.id)],
    ).fetchone()
    app.commit()
    with psycopg.connect(database.overseer_url) as watch:
        args = watch.execute("SELECT args ->> 'tenant_id' FROM jobs.procrastinate_jobs WHERE id = %s", made).fetchone()
    assert args == (str(own.id),)
