"""The times of busy sources: what the guru sees of them, and how a new reading replaces the last one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from psycopg.types.range import TimestamptzRange
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.models import BusySource, BusyTime
from tenants.db.rows import Connection, fetch_values

MAX_BUSY_TIMES_SHOWN = 2_000  # of a week

Period = tuple[datetime, datetime]


class NamedBusyTime(NamedTuple):
    """A busy time with the name that the guru gave to its source."""

    name: str
    during: Range[datetime]


_STORED = "SELECT during FROM busy_times WHERE tenant_id = %(tenant)s AND source_id = %(source)s"
_REMOVE = """
DELETE FROM busy_times
 WHERE tenant_id = %(tenant)s AND source_id = %(source)s AND during = ANY (%(periods)s::tstzrange[])"""
_ADD = """
INSERT INTO busy_times (tenant_id, source_id, during)
SELECT %(tenant)s, %(source)s, unnest(%(periods)s::tstzrange[])"""


async def named_busy_times(
    session: AsyncSession, tenant_id: UUID, starts_at: datetime, ends_at: datetime
) -> Sequence[NamedBusyTime]:
    """Return the busy times between two instants, the first ones first.

    The unit of work is the guru's: to others, busy sources have no names, so nothing is found.
    """
    query = (
        select(BusySource.name, BusyTime.during)
        .join(BusySource, (BusySource.tenant_id == BusyTime.tenant_id) & (BusySource.id == BusyTime.source_id))
        .where(BusyTime.tenant_id == tenant_id, BusyTime.during.op("&&")(Range(starts_at, ends_at)))
        .order_by(BusyTime.during, BusySource.name)
        .limit(MAX_BUSY_TIMES_SHOWN)
    )
    return [NamedBusyTime(name, during) for name, during in await session.execute(query)]


def replace_busy_times(conn: Connection, tenant_id: UUID, source_id: UUID, periods: Sequence[Period]) -> bool:
    """Store the times of a source instead of its former ones. Return whether they differ.

    Only what differs is written, so that a reading without news leaves the calendar's version and the cached free times
    alone.
    """
    source = {"tenant": tenant_id, "source": source_id}
    wanted = {TimestamptzRange(start, end) for start, end in periods}
    stored = set(fetch_values(conn, TimestamptzRange, _STORED, source))
    if gone := list(stored - wanted):
        conn.execute(_REMOVE, source | {"periods": gone})
    if new := list(wanted - stored):
        conn.execute(_ADD, source | {"periods": new})
    return bool(gone or new)
