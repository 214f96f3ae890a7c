"""The three database roles, and the check that the app runs with the least privileges (docs/tenancy.md).

- `porchlight_owner` owns every object and runs the migrations.
- `porchlight_app` serves requests: it owns nothing, cannot bypass row-level security, cannot TRUNCATE.
- `porchlight_overseer`, the service role, reads and cleans up across tenants for admin pages and jobs. It has policies
  instead of BYPASSRLS, which managed Postgres services do not grant.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import sql

from tenants.db.rows import Connection, fetch_one
from tenants.kit import timeouts

OWNER_ROLE = "porchlight_owner"
APP_ROLE = "porchlight_app"
SERVICE_ROLE = "porchlight_overseer"

log = logging.getLogger(__name__)


# Large objects have no row level security, and nothing here uses them.
_REVOKE_LARGE_OBJECTS = """
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT oid::regprocedure FROM pg_proc
               WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_.+|loread|lowrite)$' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', name);
  END LOOP;
END $$"""


class OverPrivilegedRole(RuntimeError):
    """The role that serves requests could bypass tenant isolation."""


def provision(superuser_dsn: str, *, database: str, passwords: Mapping[str, str]) -> None:
    """Create or update the three roles and the database, as a superuser. It is idempotent.

    `passwords` maps each role name to its password. The owner role owns the database. Extensions that need a superuser
    are installed here, so that migrations need none.
    """
    with psycopg.connect(superuser_dsn, autocommit=True) as conn:
        for role in (OWNER_ROLE, APP_ROLE, SERVICE_ROLE):
            if conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is None:
                conn.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            conn.execute(
                sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(passwords[role])
                )
            )
        for setting, value in (
            ("lock_timeout", timeouts.current.app_lock_ms),
            ("statement_timeout", timeouts.current.app_statement_ms),
            ("idle_in_transaction_session_timeout", timeouts.current.idle_transaction_ms),
        ):
            conn.execute(
                sql.SQL("ALTER ROLE {} SET {} = {}").format(
                    sql.Identifier(APP_ROLE), sql.Identifier(setting), sql.Literal(str(value))
                )
            )
        if conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone() is None:
            conn.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0").format(
                    sql.Identifier(database), sql.Identifier(OWNER_ROLE)
                )
            )
        grant_connect(conn, database)
    with psycopg.connect(superuser_dsn, dbname=database, autocommit=True) as conn:
        for extension in ("pg_trgm", "btree_gist", "unaccent"):
            conn.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
        if conn.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            conn.execute("CREATE EXTENSION IF NOT EXISTS vector")
        else:
            log.warning("pgvector is not available: matching uses words only")
        conn.execute(_REVOKE_LARGE_OBJECTS)
        conn.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
        conn.execute(
            sql.SQL("GRANT USAGE ON SCHEMA public TO {}, {}").format(
                sql.Identifier(APP_ROLE), sql.Identifier(SERVICE_ROLE)
            )
        )
        conn.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(sql.Identifier(OWNER_ROLE)))


def grant_connect(conn: Connection, database: str) -> None:
    """Let only the three roles connect to `database`. A clone of a provisioned database needs nothing else."""
    conn.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
    conn.execute(
        sql.SQL("GRANT CONNECT ON DATABASE {} TO {}, {}").format(
            sql.Identifier(database), sql.Identifier(APP_ROLE), sql.Identifier(SERVICE_ROLE)
        )
    )
    # COPY is not allowed into tables with row-level security: bulk loads go through temporary tables.
    conn.execute(
        sql.SQL("GRANT TEMPORARY ON DATABASE {} TO {}").format(sql.Identifier(database), sql.Identifier(SERVICE_ROLE))
    )


@dataclass(frozen=True)
class RoleFacts:
    """Privileges of a connected role that a request must not have."""

    name: str
    is_superuser: bool
    bypasses_rls: bool
    owned_objects: int
    truncatable_tables: int
    is_service_role: bool
    creates_roles: bool

    @property
    def problem(self) -> str | None:
        """One sentence about the first excessive privilege, or None."""
        if self.is_superuser:
            return f"The role {self.name} is a superuser."
        if self.bypasses_rls:
            return f"The role {self.name} has BYPASSRLS."
        if self.is_service_role:
            return f"The role {self.name} is {SERVICE_ROLE}, or a member of it, and sees every tenant."
        if self.creates_roles:
            return f"The role {self.name} has CREATEROLE or REPLICATION."
        if self.owned_objects:
            return f"The role {self.name} owns {self.owned_objects} tables or functions."
        if self.truncatable_tables:
            return f"The role {self.name} may TRUNCATE {self.truncatable_tables} tables."
        return None


# Memberships count: a role that can SET ROLE to an owner has the owner's privileges.
_ROLE_FACTS = """
SELECT current_user::text AS name,
       bool_or(r.rolsuper) AS is_superuser,
       bool_or(r.rolbypassrls) AS bypasses_rls,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
           AND pg_has_role(c.relowner, 'MEMBER'))
     + (SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
           AND pg_has_role(p.proowner, 'MEMBER')) AS owned_objects,
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
           AND has_table_privilege(c.oid, 'TRUNCATE')) AS truncatable_tables,
       coalesce(bool_or(r.rolname = %s), false) AS is_service_role,
       bool_or(r.rolcreaterole OR r.rolreplication) AS creates_roles
  FROM pg_roles r WHERE pg_has_role(r.oid, 'MEMBER')
"""


def role_facts(dsn: str) -> RoleFacts:
    """Read the privileges of the role of `dsn`."""
    with psycopg.connect(dsn, connect_timeout=timeouts.current.command_connect_seconds) as conn:
        facts = fetch_one(conn, RoleFacts, _ROLE_FACTS, [SERVICE_ROLE])
    if facts is None:  # pragma: no cover - an aggregate always returns a row
        raise RuntimeError("the query of the role's privileges returned no row")
    return facts


def require_least_privilege(dsn: str) -> None:
    """Raise OverPrivilegedRole if the role of `dsn` is a superuser, an owner, has BYPASSRLS, or similar privileges."""
    problem = role_facts(dsn).problem
    if problem:
        raise OverPrivilegedRole(
            f"{problem} Porchlight does not serve requests with it: set DATABASE_URL to the role {APP_ROLE}, "
            f"which gets exactly the necessary privileges from `porchlight migrate`."
        )
