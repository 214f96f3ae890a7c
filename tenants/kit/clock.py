"""The current time. All rules read it here, and in the database from `app.now()`, so that a test can set it.

The product's clock is the machine's clock plus an offset, which is zero except in tests and demos: the environment
variable PORCHLIGHT_CLOCK_OFFSET_SECONDS, and the setting porchlight.clock_offset of the database.

Read the machine's clock with `machine_now()` only for what others decide by it: signatures and tokens of other
services, the queue's own tables. Before a rule compares such a time, add `offset()`; in SQL, `(app.now() - now())`.
Durations use `time.monotonic()`. `porchlight_dev.checks.clocks` holds the list of exceptions.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

OFFSET_VARIABLE = "PORCHLIGHT_CLOCK_OFFSET_SECONDS"
_offset = timedelta(seconds=int(os.environ.get(OFFSET_VARIABLE) or 0))


def now() -> datetime:
    """Return the current time of the product's rules, timezone-aware, in UTC."""
    return datetime.now(UTC) + _offset


def machine_now() -> datetime:
    """Return the machine's time, by which other services sign and the queue schedules, in UTC."""
    return datetime.now(UTC)


def offset() -> timedelta:
    """Return by how much the product's clock is ahead of the machine's, in whole seconds."""
    return _offset


def set_offset(seconds: int) -> None:
    """Set the clock of this process. Only tests do that: the product's processes read the environment variable."""
    global _offset
    _offset = timedelta(seconds=seconds)


def to_iso8601(moment: datetime) -> str:
    """Format a time for the API: ISO 8601, UTC, whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
