"""The next free time of the first gurus on a page of results."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from porchlight.features.search import rules
from porchlight.features.search.schemas import NextStart
from sites.hours.first_starts import COLUMNS, first_starts, parse_open_times
from sites.hours.session_schedule import MAX_DAYS
from tenants.db.pool import Database
from tenants.kit import clock

_TIMES = f"""
SELECT t.guru_id, {COLUMNS}
  FROM app.teaching_times(%(gurus)s::uuid[], NULL, %(now)s, %(days)s, %(most)s) t"""


async def next_starts(db: Database, guru_ids: Sequence[UUID]) -> dict[UUID, NextStart]:
    """Return the next free start of each of the first gurus who has one, by id."""
    if not guru_ids:
        return {}
    now = clock.now()
    gurus = list(guru_ids[: rules.MAX_NEXT_STARTS])
    values = {"gurus": gurus, "now": now, "days": MAX_DAYS, "most": len(gurus)}
    found: dict[UUID, NextStart] = {}
    for guru_id, *columns in await db.read(None, _TIMES, values):
        times = parse_open_times(columns)
        if times is None or not (starts := first_starts(times, now, 1)):
            continue
        found[guru_id] = NextStart(
            service_id=str(times.service.id),
            starts_at=clock.to_iso8601(starts[0]),
            zone=times.rules.calendar.zone,
            place=times.service.place,
        )
    return found
