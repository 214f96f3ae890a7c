"""The migrations of the schema. `upgrade` brings a database to this release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

import porchlight.catalog.sync_catalog
import porchlight.features.angels.sync_catalog
import porchlight.money.rules
from tenants.db.pool import sqlalchemy_url
from tenants.db.rows import fetch_value

if TYPE_CHECKING:  # alembic weighs 10 MB, and a worker that serves needs only the name of the newest migration
    from alembic.config import Config
    from sqlalchemy import Connection

HERE = Path(__file__).parent
VERSIONS = HERE / "versions"


class UnknownRevision(RuntimeError):
    """The database was made by migrations that this release does not have."""


def config(dsn: str) -> Config:
    """Return Alembic's configuration for the database at `dsn` (the owner role)."""
    from alembic.config import Config

    alembic = Config()
    alembic.set_main_option("script_location", str(HERE))
    alembic.attributes["url"] = sqlalchemy_url(dsn)
    return alembic


def upgrade(dsn: str, revision: str = "head", *, live_money: bool = False) -> None:
    """Run every migration that the database at `dsn` does not have yet, as the owner role.

    At the head, also bring the tables of the product's own data in line with its files. `live_money`: Stripe's keys are
    live, and the ledger has no rules for test money. Raises UnknownRevision.
    """
    if _checked_revision(dsn) != head() or revision != "head":
        from alembic import command  # it would read every migration to find that none is missing

        command.upgrade(config(dsn), revision)
    if revision == "head":
        with psycopg.connect(dsn) as conn:
            porchlight.catalog.sync_catalog.sync_catalog(conn)
            porchlight.features.angels.sync_catalog.sync_catalog(conn)
            porchlight.money.rules.sync_rules(conn, live=live_money)


def run_sql(connection: Connection, statements: str) -> None:
    """Execute SQL statements in the running migration."""
    connection.exec_driver_sql(statements.replace("%", "%%"))  # psycopg reads % as a placeholder


def run_script(connection: Connection, path: Path) -> None:
    """Execute the SQL file at `path` in the running migration."""
    run_sql(connection, "SET LOCAL check_function_bodies = off")  # functions may name later tables
    run_sql(connection, path.read_text("utf-8"))


def head() -> str:
    """Return the newest migration that this release knows."""
    return max((path.name.partition("_")[0] for path in VERSIONS.glob("[0-9]*_*.py")), default="")


def _checked_revision(dsn: str) -> str | None:
    """Return the newest migration of a database, None for an empty one. Raises UnknownRevision."""
    with psycopg.connect(dsn) as conn:
        if conn.execute("SELECT to_regclass('public.alembic_version') IS NULL").fetchone() == (True,):
            return None
        revision = fetch_value(conn, str, "SELECT version_num FROM alembic_version")
    if revision and not any(VERSIONS.glob(f"{revision}_*.py")):
        raise UnknownRevision(
            f"This release has no migration {revision}, which the database has: use the release that made the database,"
            " or start with an empty one."
        )
    return revision
