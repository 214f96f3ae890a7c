"""Migrations, models and fences agree; and whatever is taken from the fences is noticed."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import create_engine

from porchlight.tables import metadata
from tenants.kit.db import sqlalchemy_url
from tenants.rls import catalogue_faults
from tenants.roles import APP, OVERSEER, OWNER
from tests.platform_.world import tell
from tests.support.databases import Database
from tests.tenants.fences import breaches, fenced


def _execute(database: Database, statement: str | sql.Composed) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET ROLE porchlight_owner")
        conn.execute(statement if isinstance(statement, sql.Composed) else statement.encode())


def test_the_migrations_make_what_the_models_say(database: Database) -> None:
    def ours(_name: str | None, kind: str, _parents: object) -> bool:
        return not (kind == "schema" and _name not in (None, "public"))

    engine = create_engine(sqlalchemy_url(database.owner_url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "include_name": ours})
        differences = compare_metadata(context, metadata)
    engine.dispose()
    assert differences == []


def test_every_table_of_tenants_is_fenced(database: Database) -> None:
    assert catalogue_faults(database.owner_url) == []


def test_the_app_role_may_ask_whether_all_is_fenced(database: Database) -> None:
    assert catalogue_faults(database.app_url) == []


def _policies(database: Database) -> list[tuple[str, str]]:
    with psycopg.connect(database.superuser_url) as conn:
        return conn.execute("SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public'").fetchall()


def test_dropping_any_single_policy_is_noticed(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.overseer_url) as conn:
        own, other = tell(conn, "alpha"), tell(conn, "beta")
    assert breaches(database, own, other) == []
    policies = _policies(database)
    assert len(policies) > 20
    with psycopg.connect(database.superuser_url) as watch:
        tables = fenced(watch)
    for table, policy in policies:
        with psycopg.connect(database.superuser_url, autocommit=True) as conn:
            made = conn.execute(
                "SELECT format('CREATE POLICY %%I ON %%I FOR %%s TO %%s USING (%%s) %%s', policyname, tablename, cmd,"
                " array_to_string(roles, ','), qual, 'WITH CHECK (' || with_check || ')')"
                " FROM pg_policies WHERE tablename = %s AND policyname = %s",
                [table, policy],
            ).fetchone()
            assert made is not None
            conn.execute(sql.SQL("DROP POLICY {} ON {}").format(sql.Identifier(policy), sql.Identifier(table)))
            assert any(table in fault for fault in catalogue_faults(database.owner_url)), (table, policy)
            if policy == "tenant" and table in tables:
                assert breaches(database, own, other), (table, policy)
            conn.execute(made[0].encode())
        assert catalogue_faults(database.owner_url) == [], (table, policy)


def test_disabling_a_fence_is_noticed_on_any_table(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.superuser_url) as conn:
        tables = fenced(conn)
    for table in tables:
        for off, on in (("NO FORCE", "FORCE"), ("DISABLE", "ENABLE")):
            _execute(database, f"ALTER TABLE {table} {off} ROW LEVEL SECURITY")
            assert any(fault.startswith(f"{table}:") for fault in catalogue_faults(database.owner_url)), (table, off)
            _execute(database, f"ALTER TABLE {table} {on} ROW LEVEL SECURITY")
    assert catalogue_faults(database.owner_url) == []


DEFINER = "CREATE FUNCTION app.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
SPOILED = {
    "a table of tenants without a fence": "CREATE TABLE loose (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id))",
    "a fenced table without policies": (
        "CREATE TABLE loose (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id));"
        "ALTER TABLE loose ENABLE ROW LEVEL SECURITY; ALTER TABLE loose FORCE ROW LEVEL SECURITY"
    ),
    "a table of nobody": "CREATE TABLE loose (id uuid PRIMARY KEY)",
    "a table of tenants outside public": "CREATE TABLE app.loose (tenant_id uuid PRIMARY KEY)",
    "a copy of tenants' rows": "CREATE MATERIALIZED VIEW loose AS SELECT * FROM leads WITH NO DATA",
    "an index led by another column": "CREATE INDEX loose ON leads (email)",
    "an index led by an expression": "CREATE INDEX loose ON leads (lower(email))",
    "a unique index led by another column": "CREATE UNIQUE INDEX loose ON posts (slug, tenant_id)",
    "a foreign key by id alone": (
        "ALTER TABLE services ADD COLUMN parent uuid;"
        "ALTER TABLE services ADD CONSTRAINT loose FOREIGN KEY (parent, tenant_id) REFERENCES services (id, tenant_id)"
    ),
    "a foreign key that crosses columns": (
        "ALTER TABLE leads ADD COLUMN other uuid; ALTER TABLE leads ADD CONSTRAINT loose"
        " FOREIGN KEY (tenant_id, other) REFERENCES services (id, tenant_id)"
    ),
    "a view that reads as its owner": "CREATE VIEW loose AS SELECT * FROM leads",
    "a definer function without a search path": f"{DEFINER} AS 'SELECT count(*) FROM public.leads'",
    "a definer function for everybody": f"{DEFINER} SET search_path = public, pg_temp AS 'SELECT 1::bigint'",
    "a policy that lets everybody in": f"CREATE POLICY wide ON leads TO {APP} USING (true)",
    "a policy for PUBLIC": "CREATE POLICY wide ON leads USING (true)",
    "a policy for reading": f"CREATE POLICY wide ON leads FOR SELECT TO {APP} USING (status = 'new')",
    "a policy for the owner": f"CREATE POLICY wide ON leads TO {OWNER} USING (true)",
    "a policy without a check": (
        f"DROP POLICY tenant ON leads; CREATE POLICY tenant ON leads TO {APP} USING (tenant_id = app.tid())"
        " WITH CHECK (true)"
    ),
    "a grant of TRUNCATE": f"GRANT TRUNCATE ON leads TO {APP}",
    "a grant on the mailbox": f"GRANT SELECT ON mailbox TO {APP}",
    "a grant on the queue": f"GRANT USAGE ON SCHEMA jobs TO {APP}; GRANT SELECT ON jobs.procrastinate_jobs TO {APP}",
    "a grant to everybody": "GRANT SELECT ON mailbox TO PUBLIC",
    "an overseer who sees nothing": f"REVOKE SELECT ON leads FROM {OVERSEER}",
}


@pytest.mark.parametrize("what", SPOILED)
def test_a_gap_in_the_fences_is_noticed(new_database: Callable[[], Database], what: str) -> None:
    database = new_database()
    statement = SPOILED[what]
    if "foreign key" in what:
        _execute(database, "ALTER TABLE services ADD CONSTRAINT turned UNIQUE (id, tenant_id)")
        before = set(catalogue_faults(database.owner_url))
    else:
        before = set()
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        conn.execute(statement.encode())
    assert set(catalogue_faults(database.owner_url)) - before, what
