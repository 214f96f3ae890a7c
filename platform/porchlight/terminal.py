"""What every command of the command line needs: its voice, its settings and its connection."""

from __future__ import annotations

from typing import Any

import psycopg
import typer
from rich.console import Console

from porchlight.settings import Settings

console = Console(stderr=True)


def fail(sentence: str) -> typer.Exit:
    """Say what is wrong; to be raised."""
    console.print(sentence, style="red", highlight=False)
    return typer.Exit(1)


def needed(value: str, name: str) -> str:
    """A setting that a command cannot do without."""
    if not value:
        raise fail(f"{name} is not set.")
    return value


def overseer() -> psycopg.Connection[Any]:
    """A connection across all fences."""
    dsn = needed(Settings().overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    try:
        return psycopg.connect(dsn, connect_timeout=5)
    except psycopg.OperationalError as fault:
        raise fail(f"The database does not answer: {str(fault).splitlines()[0]}") from fault
