"""The check that a database has the clock of this process (`tenants.kit.clock`, `app.now()`)."""

from __future__ import annotations

from datetime import timedelta

import psycopg

from tenants.kit import clock

_OFFSET = "SELECT coalesce(nullif(current_setting('porchlight.clock_offset', true), '')::interval, '0')"


class ClockMismatch(RuntimeError):
    """The database and this process have different clocks."""


def require_same_clock(dsn: str) -> None:
    """Raise ClockMismatch if the database's clock has another offset. Production has none, and never gets one."""
    with psycopg.connect(dsn, connect_timeout=5) as conn:
        row: tuple[timedelta] | None = conn.execute(_OFFSET).fetchone()
    if row is None or row[0] != clock.offset():
        raise ClockMismatch(
            f"The database's setting porchlight.clock_offset differs from {clock.OFFSET_VARIABLE}. Set both, or none."
        )
