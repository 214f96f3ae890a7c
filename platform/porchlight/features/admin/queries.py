"""Query of the admin dashboard."""

from __future__ import annotations

from typing import Any, NamedTuple

from tenants.db.pool import Database

# Triggers count the rows. A counter without rows is 0 (SPEC 2.12).
_COUNTERS = "SELECT name, sum(value)::bigint AS total FROM counters GROUP BY name"
COUNTER_NAMES = ("users", "listings", "sessions", "reports")


class _Counter(NamedTuple):
    name: str
    total: int


async def dashboard(service_db: Database, *, has_sessions: bool) -> dict[str, Any]:
    """Return the row counts of the dashboard (SPEC 3, dashboard summary). Without bookings there are 0 sessions."""
    counters = {row.name: row.total for row in await service_db.read(None, _COUNTERS, row=_Counter)}
    if not has_sessions:
        counters.pop("sessions", None)
    return {name: {"total": counters.get(name, 0)} for name in COUNTER_NAMES}
