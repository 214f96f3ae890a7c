"""Tenant isolation as seen by the app role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from tenants.db.rls import ACTING_TABLES, SHARED_TABLES
from tenants.tenancy.lifecycle import tenant_tables
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru


def isolated_tables(conn: psycopg.Connection[Any]) -> dict[str, str]:
    """Return every tenant table with the column that identifies the tenant."""
    return {"gurus": "id"} | {table: "tenant_id" for table in tenant_tables(conn) if table not in SHARED_TABLES}


def party_tables(conn: psycopg.Connection[Any]) -> set[str]:
    """Return the tables whose rows belong to a tenant and a person."""
    rows = conn.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'tenant_id'"
        " JOIN pg_attribute p ON p.attrelid = c.oid AND p.attname = 'person_id'"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')"
    ).fetchall()
    return {row[0] for row in rows}


def set_tenant(conn: psycopg.Connection[Any], tenant_id: UUID | None, *, acting: bool = False) -> None:
    """Set the tenant of the current transaction, as a unit of work does."""
    tenant = str(tenant_id) if tenant_id else ""
    conn.execute(
        "SELECT set_config('app.tenant_id', %s, true), set_config('app.acting_tenant_id', %s, true)",
        [tenant, tenant if acting else ""],
    )


def set_user(conn: psycopg.Connection[Any], user_id: UUID | None) -> None:
    """Set the user of the current transaction, as a unit of work does."""
    conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id) if user_id else ""])


def isolation_errors(database: Database, own: SeededGuru, other: SeededGuru) -> list[str]:
    """Return the violations of isolation that the app role finds when `own` is the tenant."""
    errors: list[str] = []
    with psycopg.connect(database.superuser_url) as superuser:
        tables = isolated_tables(superuser)
        shared_with_person = party_tables(superuser)
        expected = {table: _count(superuser, table, key, own.id) for table, key in tables.items()}
    with psycopg.connect(database.app_url) as conn:
        for table, key in tables.items():
            needs_acting = table in shared_with_person or table in ACTING_TABLES
            if needs_acting:
                set_tenant(conn, own.id)
                if _count(conn, table, key, own.id):
                    errors.append(f"{table}: visitors of the site see rows that are only for its guru or a person")
            set_tenant(conn, own.id, acting=needs_acting)
            if _count(conn, table, key, own.id) != expected[table]:
                errors.append(f"{table}: own rows are hidden")
            if _count(conn, table, key, other.id):
                errors.append(f"{table}: other tenants' rows are visible")
            for verb in ("UPDATE {} SET {} = {} WHERE {} = %s", "DELETE FROM {} WHERE {} = %s"):
                names = [sql.Identifier(name) for name in ((table, key, key, key) if "SET" in verb else (table, key))]
                if changed_rows(conn, sql.SQL(verb).format(*names), [other.id]):
                    errors.append(f"{table}: other tenants' rows can be changed")
            conn.rollback()
    return errors


def changed_rows(conn: psycopg.Connection[Any], statement: sql.Composed, params: Sequence[Any] = ()) -> int:
    """Return the number of rows that a statement changes, 0 if it is not permitted. The transaction stays usable."""
    try:
        with conn.transaction():
            return conn.execute(statement, params).rowcount
    except psycopg.errors.InsufficientPrivilege:
        return 0


def _count(conn: psycopg.Connection[Any], table: str, key: str, tenant_id: UUID) -> int:
    query = sql.SQL("SELECT count(*) FROM {} WHERE {} = %s").format(sql.Identifier(table), sql.Identifier(key))
    row = conn.execute(query, [tenant_id]).fetchone()
    return int(row[0]) if row else 0
