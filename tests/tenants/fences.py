"""Fences as the app role meets them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from tenants.lifecycle import tenant_tables
from tenants.rls import UNFENCED
from tests.platform_.world import Told
from tests.support.databases import Database


def fenced(conn: psycopg.Connection[Any]) -> dict[str, str]:
    """Every table of tenants with the column that says whose a row is."""
    return {"gurus": "id"} | {table: "tenant_id" for table in tenant_tables(conn) if table not in UNFENCED}


def set_tenant(conn: psycopg.Connection[Any], tenant_id: UUID | None) -> None:
    """Set the tenant for the present transaction, as a unit of work does."""
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id) if tenant_id else ""])


def breaches(database: Database, own: Told, other: Told) -> list[str]:
    """What is wrong with the fences as the app role meets them when `own` is the tenant."""
    found: list[str] = []
    with psycopg.connect(database.superuser_url) as all_seeing:
        tables = fenced(all_seeing)
        there = {table: _count(all_seeing, table, key, own.id) for table, key in tables.items()}
    with psycopg.connect(database.app_url) as conn:
        for table, key in tables.items():
            set_tenant(conn, own.id)
            if _count(conn, table, key, own.id) != there[table]:
                found.append(f"{table}: the guru does not see their own rows")
            if _count(conn, table, key, other.id):
                found.append(f"{table}: the guru sees another's rows")
            for verb in ("UPDATE {} SET {} = {} WHERE {} = %s", "DELETE FROM {} WHERE {} = %s"):
                names = [sql.Identifier(name) for name in ((table, key, key, key) if "SET" in verb else (table, key))]
                if changed(conn, sql.SQL(verb).format(*names), [other.id]):
                    found.append(f"{table}: the guru changes another's rows")
            conn.rollback()
    return found


def changed(conn: psycopg.Connection[Any], statement: sql.Composed, params: Sequence[Any] = ()) -> int:
    """How many rows a statement changes; none when the role may not even try. The transaction goes on either way."""
    try:
        with conn.transaction():
            return conn.execute(statement, params).rowcount
    except psycopg.errors.InsufficientPrivilege:
        return 0


def _count(conn: psycopg.Connection[Any], table: str, key: str, tenant_id: UUID) -> int:
    query = sql.SQL("SELECT count(*) FROM {} WHERE {} = %s").format(sql.Identifier(table), sql.Identifier(key))
    row = conn.execute(query, [tenant_id]).fetchone()
    return int(row[0]) if row else 0
