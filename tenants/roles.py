"""The three database roles, and the check that the app runs as the least of them (DESIGN 4).

- `porchlight_owner` owns every object and runs the migrations.
- `porchlight_app` serves requests: it owns nothing, cannot bypass row security, cannot TRUNCATE.
- `porchlight_overseer` reads and sweeps across tenants for admin pages and jobs, by policies of its own rather than
  by BYPASSRLS, which managed Postgres services do not hand out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import sql

OWNER = "porchlight_owner"
APP = "porchlight_app"
OVERSEER = "porchlight_overseer"

# What a request may wait for. A locked table or a slow plan answers 503 within 3 s (DESIGN 10).
APP_LOCK_TIMEOUT_MS = 2000
APP_STATEMENT_TIMEOUT_MS = 2500

log = logging.getLogger(__name__)


class OverPrivilegedRole(RuntimeError):
    """The role that should serve requests could step around the fences."""


def provision(superuser_dsn: str, *, database: str, passwords: Mapping[str, str]) -> None:
    """Create or update the three roles and the database, as a superuser. May be called again at any time.

    `passwords` maps each role name to its password. The database is owned by the owner role; extensions that
    need a superuser are installed here, so that migrations never do.
    """
    with psycopg.connect(superuser_dsn, autocommit=True) as conn:
        for role in (OWNER, APP, OVERSEER):
            if conn.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is None:
                conn.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
            conn.execute(
                sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {}").format(
                    sql.Identifier(role), sql.Literal(passwords[role])
                )
            )
        for setting, value in (
            ("lock_timeout", APP_LOCK_TIMEOUT_MS),
            ("statement_timeout", APP_STATEMENT_TIMEOUT_MS),
            ("idle_in_transaction_session_timeout", 30_000),
        ):
            conn.execute(
                sql.SQL("ALTER ROLE {} SET {} = {}").format(
                    sql.Identifier(APP), sql.Identifier(setting), sql.Literal(str(value))
                )
            )
        if conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone() is None:
            conn.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0").format(
                    sql.Identifier(database), sql.Identifier(OWNER)
                )
            )
        conn.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
        conn.execute(
            sql.SQL("GRANT CONNECT ON DATABASE {} TO {}, {}").format(
                sql.Identifier(database), sql.Identifier(APP), sql.Identifier(OVERSEER)
            )
        )
        # COPY cannot enter a fenced table: large loads go by way of temporary ones.
        conn.execute(
            sql.SQL("GRANT TEMPORARY ON DATABASE {} TO {}").format(sql.Identifier(database), sql.Identifier(OVERSEER))
        )
    with psycopg.connect(superuser_dsn, dbname=database, autocommit=True) as conn:
        for extension in ("pg_trgm", "btree_gist", "unaccent"):
            conn.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
        if conn.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            conn.execute("CREATE EXTENSION IF NOT EXISTS vector")
        else:
            log.warning("pgvector is not available: matches fall back to words alone")
        conn.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
        conn.execute(
            sql.SQL("GRANT USAGE ON SCHEMA public TO {}, {}").format(sql.Identifier(APP), sql.Identifier(OVERSEER))
        )
        conn.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(sql.Identifier(OWNER)))


@dataclass(frozen=True)
class RoleFacts:
    """What a connected role could do that a request must not."""

    name: str
    superuser: bool
    bypasses: bool
    owns: int
    truncates: int
    oversees: bool
    makes_roles: bool

    @property
    def complaint(self) -> str | None:
        """One sentence that says what is wrong, or None."""
        if self.superuser:
            return f"The role {self.name} is a superuser."
        if self.bypasses:
            return f"The role {self.name} has BYPASSRLS."
        if self.oversees:
            return f"The role {self.name} is {OVERSEER}, or a member of it, and sees every tenant."
        if self.makes_roles:
            return f"The role {self.name} has CREATEROLE or REPLICATION."
        if self.owns:
            return f"The role {self.name} owns {self.owns} tables or functions."
        if self.truncates:
            return f"The role {self.name} may TRUNCATE {self.truncates} tables."
        return None


# Memberships count: a role that may SET ROLE to an owner is as good as the owner.
ROLE_FACTS = """
SELECT current_user::text,
       bool_or(r.rolsuper),
       bool_or(r.rolbypassrls),
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
           AND pg_has_role(c.relowner, 'MEMBER'))
     + (SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND pg_has_role(p.proowner, 'MEMBER')),
       (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'TRUNCATE')),
       coalesce(bool_or(r.rolname = %s), false),
       bool_or(r.rolcreaterole OR r.rolreplication)
  FROM pg_roles r WHERE pg_has_role(r.oid, 'MEMBER')
"""


def role_facts(dsn: str) -> RoleFacts:
    """Ask the database what the role of `dsn` may do."""
    with psycopg.connect(dsn, connect_timeout=5) as conn:
        row = conn.execute(ROLE_FACTS, [OVERSEER]).fetchone()
    if row is None:  # pragma: no cover - an aggregate always answers a row
        raise RuntimeError("the database answered nothing about its roles")
    return RoleFacts(*row)


def refuse_privilege(dsn: str) -> None:
    """The boot check: raise OverPrivilegedRole when the request role is superuser, owner or BYPASSRLS."""
    complaint = role_facts(dsn).complaint
    if complaint:
        raise OverPrivilegedRole(
            f"{complaint} Porchlight refuses to serve with it: set DATABASE_URL to the role {APP}, "
            f"which `porchlight migrate` grants just what requests need."
        )
