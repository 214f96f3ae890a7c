"""Migrations match the models, and the check of the RLS catalog detects every gap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import ForeignKeyConstraint, create_engine
from sqlalchemy.sql.schema import SchemaItem

from porchlight.registry import metadata
from tenants.db.pool import sqlalchemy_url
from tenants.db.rls import rls_catalog_errors
from tenants.db.roles import APP_ROLE, OWNER_ROLE, SERVICE_ROLE
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_guru
from tests.tenants.isolation import isolated_tables, isolation_errors


def _execute(database: Database, statement: str | sql.Composed) -> None:
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET ROLE porchlight_owner")
        conn.execute(statement if isinstance(statement, sql.Composed) else statement.encode())


def test_migrations_match_models(database: Database) -> None:
    def has_name(name: str | None, kind: str, _parents: object) -> bool:
        return not (kind == "schema" and name not in (None, "public"))

    def has_model(found: SchemaItem, name: str | None, kind: str, _reflected: bool, _other: SchemaItem | None) -> bool:
        """Leave out tables that only SQL reads and writes, and the foreign keys to them."""
        if isinstance(found, ForeignKeyConstraint):
            name = found.elements[0].target_fullname.rpartition(".")[0].removeprefix("public.")
        return kind not in ("table", "foreign_key_constraint") or name in metadata.tables

    options = {"compare_type": True, "include_name": has_name, "include_object": has_model}
    engine = create_engine(sqlalchemy_url(database.owner_url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        differences = compare_metadata(context, metadata)
    engine.dispose()
    assert differences == []


def test_rls_catalog_has_no_errors(database: Database) -> None:
    assert rls_catalog_errors(database.owner_url) == []


def test_rls_catalog_check_works_in_app_role(database: Database) -> None:
    assert rls_catalog_errors(database.app_url) == []


def _policies(database: Database) -> list[tuple[str, str]]:
    with psycopg.connect(database.superuser_url) as conn:
        return conn.execute("SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public'").fetchall()


def test_rls_catalog_detects_each_dropped_policy(new_database: Callable[[], Database]) -> None:
    """One policy of each table is dropped at a time: the errors of a table depend on its own policies."""
    database = new_database()
    with psycopg.connect(database.service_url) as conn:
        own, other = seed_guru(conn, "alpha"), seed_guru(conn, "beta")
    assert isolation_errors(database, own, other) == []
    policies: dict[str, list[str]] = {}
    for table, policy in _policies(database):
        policies.setdefault(table, []).append(policy)
    assert len(policies) > 20
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        isolated = isolated_tables(superuser)
        while any(policies.values()):
            dropped = {table: names.pop() for table, names in policies.items() if names}
            definitions = [_drop_policy(superuser, table, policy) for table, policy in dropped.items()]
            found = _tables_with(rls_catalog_errors(database.owner_url))
            visible = _tables_with(isolation_errors(database, own, other))
            assert {table for table in dropped if table not in found} == set()
            tenants = {table for table, policy in dropped.items() if policy in ("tenant", "parties")}
            assert {table for table in tenants if table in isolated and table not in visible} == set()
            for definition in definitions:
                superuser.execute(definition.encode())
            assert rls_catalog_errors(database.owner_url) == []


def _tables_with(errors: list[str]) -> set[str]:
    return {error.partition(":")[0] for error in errors}


def _drop_policy(conn: psycopg.Connection[Any], table: str, policy: str) -> str:
    """Drop a policy; return the statement that creates it again."""
    definition = conn.execute(
        "SELECT format('CREATE POLICY %%I ON %%I AS %%s FOR %%s TO %%s %%s %%s', policyname, tablename,"
        " permissive, cmd, array_to_string(roles, ','), 'USING (' || qual || ')',"
        " 'WITH CHECK (' || with_check || ')')"
        " FROM pg_policies WHERE tablename = %s AND policyname = %s",
        [table, policy],
    ).fetchone()
    assert definition is not None
    conn.execute(sql.SQL("DROP POLICY {} ON {}").format(sql.Identifier(policy), sql.Identifier(table)))
    return str(definition[0])


def test_rls_catalog_detects_disabled_rls_on_each_table(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        tables = set(isolated_tables(conn))
        for off, on in (("NO FORCE", "FORCE"), ("DISABLE", "ENABLE")):
            for table in tables:
                conn.execute(f"ALTER TABLE {table} {off} ROW LEVEL SECURITY".encode())
            assert tables - _tables_with(rls_catalog_errors(database.owner_url)) == set(), off
            for table in tables:
                conn.execute(f"ALTER TABLE {table} {on} ROW LEVEL SECURITY".encode())
    assert rls_catalog_errors(database.owner_url) == []


DEFINER = "CREATE FUNCTION app.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
GAPS = {
    "a tenant table without RLS": "CREATE TABLE loose (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id))",
    "a table with RLS without policies": (
        "CREATE TABLE loose (tenant_id uuid, id uuid, PRIMARY KEY (tenant_id, id));"
        "ALTER TABLE loose ENABLE ROW LEVEL SECURITY; ALTER TABLE loose FORCE ROW LEVEL SECURITY"
    ),
    "a table without tenant or user": "CREATE TABLE loose (id uuid PRIMARY KEY)",
    "a tenant table outside public": "CREATE TABLE app.loose (tenant_id uuid PRIMARY KEY)",
    "a materialized view": "CREATE MATERIALIZED VIEW loose AS SELECT * FROM leads WITH NO DATA",
    "an index led by another column": "CREATE INDEX loose ON leads (email)",
    "an index led by an expression": "CREATE INDEX loose ON leads (lower(email))",
    "a unique index led by another column": "CREATE UNIQUE INDEX loose ON posts (slug, tenant_id)",
    "a foreign key without tenant": (
        "ALTER TABLE services ADD COLUMN parent uuid;"
        "ALTER TABLE services ADD CONSTRAINT loose FOREIGN KEY (parent, tenant_id) REFERENCES services (id, tenant_id)"
    ),
    "a foreign key with swapped columns": (
        "ALTER TABLE leads ADD COLUMN other uuid; ALTER TABLE leads ADD CONSTRAINT loose"
        " FOREIGN KEY (tenant_id, other) REFERENCES services (id, tenant_id)"
    ),
    "a view without security_invoker": "CREATE VIEW loose AS SELECT * FROM leads",
    "an unknown view of the owner": "CREATE VIEW loose WITH (security_barrier) AS SELECT * FROM leads",
    "a view of the owner without barrier": "ALTER VIEW public_profiles RESET (security_barrier)",
    "a view of the owner for writing": f"GRANT UPDATE ON public_profiles TO {APP_ROLE}",
    "a definer function without a search path": f"{DEFINER} AS 'SELECT count(*) FROM public.leads'",
    "a definer function for PUBLIC": f"{DEFINER} SET search_path = public, pg_temp AS 'SELECT 1::bigint'",
    "a policy without condition": f"CREATE POLICY wide ON leads TO {APP_ROLE} USING (true)",
    "a pair open to one more": (
        f"DROP POLICY pair ON messages; CREATE POLICY pair ON messages TO {APP_ROLE}"
        " USING (app.user_id() IN (person_a_id, person_b_id, sender_id)) WITH CHECK (false)"
    ),
    "a pair without the index of one": "DROP INDEX ix_threads_person_b_id",
    "a second policy of a pair": f"CREATE POLICY wide ON messages FOR SELECT TO {APP_ROLE} USING (number = 1)",
    "a review without a policy that hides it": "DROP POLICY blind ON reviews",
    "a policy that hides no review": (
        f"DROP POLICY blind ON reviews;CREATE POLICY blind ON reviews AS RESTRICTIVE TO {APP_ROLE} USING (stars > 0)"
    ),
    "a policy that hides reviews from some commands": (
        "DROP POLICY blind ON reviews; CREATE POLICY blind ON reviews AS RESTRICTIVE FOR UPDATE"
        f" TO {APP_ROLE} USING (reveals_at <= app.now())"
    ),
    "a review that both sides reply to": "DROP POLICY replies ON reviews",
    "a policy for PUBLIC": "CREATE POLICY wide ON leads USING (true)",
    "a policy for reading": f"CREATE POLICY wide ON leads FOR SELECT TO {APP_ROLE} USING (status = 'new')",
    "a policy for the owner": f"CREATE POLICY wide ON leads TO {OWNER_ROLE} USING (true)",
    "a policy without a check": (
        f"DROP POLICY tenant ON leads; CREATE POLICY tenant ON leads TO {APP_ROLE} USING (tenant_id = app.tenant_id())"
        " WITH CHECK (true)"
    ),
    "a grant of TRUNCATE": f"GRANT TRUNCATE ON leads TO {APP_ROLE}",
    "a grant on the mailbox": f"GRANT SELECT ON dev_mailbox TO {APP_ROLE}",
    "a grant on the queue": (
        f"GRANT USAGE ON SCHEMA jobs TO {APP_ROLE}; GRANT SELECT ON jobs.procrastinate_jobs TO {APP_ROLE}"
    ),
    "a grant of a column": f"GRANT SELECT (words) ON phrases TO {APP_ROLE}",
    "a grant of a column for writing": f"GRANT UPDATE (related_by) ON phrases TO {APP_ROLE}",
    "a grant to PUBLIC": "GRANT SELECT ON dev_mailbox TO PUBLIC",
    "a service role without SELECT": f"REVOKE SELECT ON leads FROM {SERVICE_ROLE}",
}


@pytest.mark.parametrize("gap", GAPS)
def test_rls_catalog_detects_gap(new_database: Callable[[], Database], gap: str) -> None:
    database = new_database()
    statement = GAPS[gap]
    if "foreign key" in gap:
        _execute(database, "ALTER TABLE services ADD CONSTRAINT turned UNIQUE (id, tenant_id)")
        before = set(rls_catalog_errors(database.owner_url))
    else:
        before = set()
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        conn.execute(statement.encode())
    assert set(rls_catalog_errors(database.owner_url)) - before, gap
