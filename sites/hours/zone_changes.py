"""Appointments after the rules of a time zone have changed: what stays is the local time that was agreed on.

The functions take a connection of the service role. `porchlight.features.bookings.zone_changes` calls them in its job.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from tenants.db.rows import Connection, fetch_all
from tenants.kit.zones import local_time, to_instant

_PAGE = 2000
_FIRST = UUID(int=0)

_CURRENT = """
SELECT tenant_id, id, kind, zone, starts_at, ends_at, local_start, local_end FROM appointments
 WHERE live AND kind <> 'exchange' AND ends_at > app.now() AND (tenant_id, id) > (%(tenant)s, %(id)s)
 ORDER BY tenant_id, id LIMIT %(limit)s"""
_SET_LOCAL = """
UPDATE appointments SET local_start = %(local_start)s, local_end = %(local_end)s
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND local_start IS NULL"""
_MOVE_APPOINTMENT = """
UPDATE appointments SET starts_at = %(starts_at)s, ends_at = %(ends_at)s,
       blocked = tstzrange(lower(blocked) + (%(starts_at)s - starts_at), upper(blocked) + (%(ends_at)s - ends_at))
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND live AND starts_at = %(from)s RETURNING id"""


@dataclass(frozen=True, slots=True)
class CurrentAppointment:
    """A live appointment that has not ended, with what the clocks of its zone should show."""

    tenant_id: UUID
    id: UUID
    kind: str
    zone: str
    starts_at: datetime
    ends_at: datetime
    local_start: datetime | None
    local_end: datetime | None

    def times(self) -> tuple[datetime, datetime]:
        """Return start and end by today's rules. A session keeps its length; a block keeps both local times."""
        if self.local_start is None:
            return self.starts_at, self.ends_at
        zone = ZoneInfo(self.zone)
        starts_at = to_instant(self.local_start, zone)
        if to_instant(local_time(self.starts_at, self.zone), zone) == starts_at:
            starts_at = self.starts_at  # of a local time that comes twice, the one that was chosen
        ends_at = starts_at + (self.ends_at - self.starts_at)
        if self.local_end is not None:
            ends_at = max(to_instant(self.local_end, zone), starts_at)
        return starts_at, ends_at

    @property
    def local_times(self) -> dict[str, datetime | None]:
        """The local times of a row from before they were stored."""
        end = local_time(self.ends_at, self.zone) if self.kind == "block" else None
        return {"local_start": local_time(self.starts_at, self.zone), "local_end": end}


def current_appointments(conn: Connection) -> Iterator[list[CurrentAppointment]]:
    """Yield all current appointments in pages, by tenant. Not exchanges: two neighbors agreed on their instants."""
    after = (_FIRST, _FIRST)
    while True:
        parameters = {"tenant": after[0], "id": after[1], "limit": _PAGE}
        page = fetch_all(conn, CurrentAppointment, _CURRENT, parameters)
        if not page:
            return
        yield page
        after = page[-1].tenant_id, page[-1].id


def set_local_times(conn: Connection, found: CurrentAppointment) -> None:
    """Store the local times of an appointment that has none."""
    conn.execute(_SET_LOCAL, {"tenant_id": found.tenant_id, "id": found.id} | found.local_times)


def move_appointment(conn: Connection, found: CurrentAppointment, starts_at: datetime, ends_at: datetime) -> bool:
    """Move an appointment to other instants. Return False if it changed meanwhile. Raises ExclusionViolation."""
    values = {
        "tenant_id": found.tenant_id, "id": found.id, "from": found.starts_at, "starts_at": starts_at,
        "ends_at": ends_at,
    }  # fmt: skip
    return conn.execute(_MOVE_APPOINTMENT, values).fetchone() is not None
