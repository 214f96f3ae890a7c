"""The setting that gives a database the clock of this process (`tenants.kit.clock`, `app.now()`), and its check."""

from __future__ import annotations

from datetime import timedelta

import psycopg
from psycopg import sql

from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock, timeouts

_OFFSET = "SELECT coalesce(nullif(current_setting('porchlight.clock_offset', true), '')::interval, '0')"


class ClockMismatch(RuntimeError):
    """The database and this process have different clocks."""


def set_clock(superuser: Connection, database: str) -> None:
    """Give new connections of a database the clock of this process. Only tests and demos need that."""
    statement = sql.SQL("ALTER DATABASE {} SET porchlight.clock_offset = {}")
    value = f"{int(clock.offset().total_seconds())} seconds" if clock.offset() else ""
    superuser.execute(statement.format(sql.Identifier(database), sql.Literal(value)))


def require_same_clock(dsn: str) -> None:
    """Raise ClockMismatch if the database's clock has another offset. Production has none, and never gets one."""
    with psycopg.connect(dsn, connect_timeout=timeouts.current.command_connect_seconds) as conn:
        offset = fetch_value(conn, timedelta, _OFFSET)
    if offset != clock.offset():
        raise ClockMismatch(
            f"The database's setting porchlight.clock_offset differs from {clock.OFFSET_VARIABLE}. Set both, or none."
        )
