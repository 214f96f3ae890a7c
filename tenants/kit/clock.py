"""The current time. All code reads it here, so that a test can set it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the current time, timezone-aware, in UTC."""
    return datetime.now(UTC)


def to_iso8601(moment: datetime) -> str:
    """Format a time for the API: ISO 8601, UTC, whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
