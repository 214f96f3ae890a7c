"""Helpers of all commands: console output, required settings, the database connection."""

from __future__ import annotations

import psycopg
import typer
from rich.console import Console

from porchlight.settings.environment import Settings
from tenants.db.rows import Connection
from tenants.kit import timeouts

console = Console(stderr=True)


def fail(sentence: str) -> typer.Exit:
    """Print an error and return the exception to raise."""
    console.print(sentence, style="red", highlight=False)
    return typer.Exit(1)


def require_setting(value: str, name: str) -> str:
    """Return a setting's value. Raises typer.Exit when it is empty."""
    if not value:
        raise fail(f"{name} is not set.")
    return value


def service_db() -> Connection:
    """Connect as the service role, which reads and writes across tenants."""
    dsn = require_setting(Settings().overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    try:
        return psycopg.connect(dsn, connect_timeout=timeouts.current.command_connect_seconds)
    except psycopg.OperationalError as error:
        raise fail(f"The database does not respond: {str(error).splitlines()[0]}") from error
