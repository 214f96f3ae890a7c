"""The present, in UTC. Everything that asks for the time asks here, so that a test can set it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, timezone-aware, UTC."""
    return datetime.now(UTC)


def wire(moment: datetime) -> str:
    """A moment as the API writes it: ISO 8601, UTC, whole seconds, `Z`."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
