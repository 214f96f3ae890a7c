"""The hours proposed to a new guru: weekdays from 9 AM to 5 PM. No service can be booked until its guru opens it."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import psycopg
from sqlalchemy.ext.asyncio import AsyncSession

DEFAULT_ZONE: Final = "America/Denver"
PROPOSED_WEEKDAYS: Final = (0, 1, 2, 3, 4)
PROPOSED_RANGE: Final = (9 * 60, 17 * 60)
NO_CALENDAR_REVISION: Final = 0
"""The revision of hours that are proposed and not stored."""

_PROPOSE = """
WITH calendar AS (
  INSERT INTO calendars (tenant_id, zone) VALUES (%(tenant)s, %(zone)s) ON CONFLICT DO NOTHING RETURNING tenant_id
), hours AS (
  INSERT INTO weekly_hours (tenant_id, weekday, during)
  SELECT c.tenant_id, w.weekday, int4range(%(start)s, %(end)s)
    FROM calendar c, unnest(%(weekdays)s::smallint[]) AS w (weekday)
)
INSERT INTO booking_settings (tenant_id, service_id)
SELECT s.tenant_id, s.id FROM calendar c JOIN services s ON s.tenant_id = c.tenant_id
 WHERE s.tenant_id = %(tenant)s AND s.duration_minutes IS NOT NULL
"""


def add_proposed_hours(conn: psycopg.Connection[Any], tenant_id: UUID, zone: str = DEFAULT_ZONE) -> None:
    """Create the calendar of a guru who has none, in the service role. See `propose_hours`."""
    conn.execute(_PROPOSE, _parameters(tenant_id, zone))


async def propose_hours(session: AsyncSession, tenant_id: UUID, zone: str = DEFAULT_ZONE) -> None:
    """Create the calendar of a guru who has none, with the proposed hours, in an IANA zone.

    Each service with minutes gets booking settings, which are not open. Does nothing if the calendar exists.
    """
    connection = await session.connection()
    await connection.exec_driver_sql(_PROPOSE, _parameters(tenant_id, zone))


def _parameters(tenant_id: UUID, zone: str) -> dict[str, Any]:
    start, end = PROPOSED_RANGE
    return {"tenant": tenant_id, "zone": zone, "weekdays": list(PROPOSED_WEEKDAYS), "start": start, "end": end}
