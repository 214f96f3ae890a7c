"""The hours proposed to a new guru: weekdays from 9 AM to 5 PM.

The services of a new site can be booked from the first day. Until their guru decides otherwise, a booking is a request
that waits for the guru's answer, because the guru has not checked the hours.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.rules import MAX_BOOKABLE_MINUTES, MIN_BOOKABLE_MINUTES
from tenants.db.rows import Connection

DEFAULT_ZONE: Final = "America/Denver"
PROPOSED_WEEKDAYS: Final = (0, 1, 2, 3, 4)
PROPOSED_RANGE: Final = (9 * 60, 17 * 60)
DEFAULT_PLACE: Final = "guru"
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
INSERT INTO booking_settings (tenant_id, service_id, open, approval, place, place_text)
SELECT s.tenant_id, s.id, o.open, CASE WHEN o.open THEN 'request' ELSE 'instant' END, %(place)s, %(place_text)s
  FROM calendar c JOIN services s ON s.tenant_id = c.tenant_id
 CROSS JOIN LATERAL (
   SELECT %(open)s AND s.duration_minutes BETWEEN %(shortest)s AND %(longest)s AS open) o
 WHERE s.tenant_id = %(tenant)s AND s.duration_minutes IS NOT NULL
"""


def add_proposed_hours(conn: Connection, tenant_id: UUID, zone: str = DEFAULT_ZONE) -> None:
    """Create the calendar of a new guru, with open services, in the service role. See `propose_hours`.

    The guru was not asked for an address, so guru and person agree on a place.
    """
    parameters = _parameters(tenant_id, zone, open_services=True)
    conn.execute(_PROPOSE, parameters | {"place": "agreed", "place_text": ""})


async def propose_hours(
    session: AsyncSession,
    tenant_id: UUID,
    zone: str = DEFAULT_ZONE,
    *,
    open_services: bool,
    place: str = DEFAULT_PLACE,
    place_text: str = "",
) -> None:
    """Create the calendar of a guru who has none, with the proposed hours, in an IANA zone.

    Each service with minutes gets booking settings. With `open_services`, those of a length that can be booked are open
    for requests; the caller has checked that their place is complete. Does nothing if the calendar exists.
    """
    connection = await session.connection()
    parameters = _parameters(tenant_id, zone, open_services=open_services)
    await connection.exec_driver_sql(_PROPOSE, parameters | {"place": place, "place_text": place_text})


def _parameters(tenant_id: UUID, zone: str, *, open_services: bool) -> dict[str, Any]:
    start, end = PROPOSED_RANGE
    return {
        "tenant": tenant_id, "zone": zone, "weekdays": list(PROPOSED_WEEKDAYS), "start": start, "end": end,
        "open": open_services, "shortest": MIN_BOOKABLE_MINUTES, "longest": MAX_BOOKABLE_MINUTES,
    }  # fmt: skip
