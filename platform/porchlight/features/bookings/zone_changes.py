"""After the rules of a time zone have changed: sessions and blocked times stay at the local time that was agreed on.

The instant changes instead: both sides of a booking get an email with an update for their calendars. The job works as
the service role, because it looks at the appointments of all tenants. Only the worker imports this module.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from procrastinate import Blueprint, JobContext
from psycopg.rows import class_row

from tenants.kit.logs import log
from tenants.kit.zones import local_time, rules_version, to_instant

Connection = psycopg.Connection[Any]

TASK = "bookings:follow_zone_rules"
_PAGE = 2000

_CURRENT = """
SELECT tenant_id, id, kind, zone, starts_at, ends_at, local_start, local_end FROM appointments
 WHERE live AND ends_at > app.now() AND (tenant_id, id) > (%(tenant)s, %(id)s)
 ORDER BY tenant_id, id LIMIT %(limit)s"""
_SET_LOCAL = """
UPDATE appointments SET local_start = %(local_start)s, local_end = %(local_end)s
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND local_start IS NULL"""
_MOVE_APPOINTMENT = """
UPDATE appointments SET starts_at = %(starts_at)s, ends_at = %(ends_at)s,
       blocked = tstzrange(lower(blocked) + (%(starts_at)s - starts_at), upper(blocked) + (%(ends_at)s - ends_at))
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND live AND starts_at = %(from)s RETURNING id"""
_MOVE_BOOKINGS = """
UPDATE bookings SET starts_at = %(starts_at)s, ends_at = %(ends_at)s, sequence = sequence + 1
 WHERE tenant_id = %(tenant_id)s AND appointment_id = %(id)s AND status IN ('held', 'requested', 'confirmed')"""
_SET_TENANT = "SELECT set_config('app.tenant_id', %s, true)"
_LOCK = "SELECT FROM app.lock_calendar()"
_FIRST = UUID(int=0)


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


def zone_changes_blueprint(service_dsn: str) -> Blueprint:
    """Return the task bookings:follow_zone_rules, which works once for each version of the rules in a process."""
    blueprint = Blueprint()
    done: set[str] = set()

    @blueprint.periodic(cron="7 * * * *")
    @blueprint.task(name="follow_zone_rules", pass_context=True, queueing_lock=TASK)
    async def follow(_context: JobContext, timestamp: int) -> None:
        if rules_version() not in done:
            await asyncio.to_thread(follow_zone_rules, service_dsn)
            done.add(rules_version())

    return blueprint


def follow_zone_rules(service_dsn: str) -> int:
    """Move every current appointment to the instant at which its zone shows its local time. Return how many moved."""
    moved = 0
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        after = (_FIRST, _FIRST)
        while page := _current(conn, after):
            after = page[-1].tenant_id, page[-1].id
            for tenant_id, appointments in groupby(page, key=lambda found: found.tenant_id):
                moved += _follow(conn, tenant_id, list(appointments))
    if moved:
        log.info("appointments_follow_zone_rules", moved=moved, rules=rules_version())
    return moved


def _current(conn: Connection, after: tuple[UUID, UUID]) -> list[CurrentAppointment]:
    parameters = {"tenant": after[0], "id": after[1], "limit": _PAGE}
    return conn.cursor(row_factory=class_row(CurrentAppointment)).execute(_CURRENT, parameters).fetchall()


def _follow(conn: Connection, tenant_id: UUID, appointments: list[CurrentAppointment]) -> int:
    unknown = [found for found in appointments if found.local_start is None]
    wrong = [(found, *found.times()) for found in appointments if found.times() != (found.starts_at, found.ends_at)]
    if not unknown and not wrong:
        return 0
    # Each move frees the time to which the next one moves.
    later = [one for one in wrong if one[1] > one[0].starts_at]
    sooner = [one for one in wrong if one[1] <= one[0].starts_at]
    later.sort(key=_start, reverse=True)
    sooner.sort(key=_start)
    moved = 0
    with conn.transaction():
        conn.execute(_SET_TENANT, [str(tenant_id)])
        conn.execute(_LOCK)
        for found in unknown:
            conn.execute(_SET_LOCAL, {"tenant_id": tenant_id, "id": found.id} | found.local_times)
        for found, starts_at, ends_at in later + sooner:
            moved += _move(conn, found, starts_at, ends_at)
    return moved


def _move(conn: Connection, found: CurrentAppointment, starts_at: datetime, ends_at: datetime) -> bool:
    values = {
        "tenant_id": found.tenant_id, "id": found.id, "from": found.starts_at, "starts_at": starts_at,
        "ends_at": ends_at,
    }  # fmt: skip
    try:
        with conn.transaction():
            if conn.execute(_MOVE_APPOINTMENT, values).fetchone() is None:
                return False  # changed meanwhile
            conn.execute(_MOVE_BOOKINGS, values)
    except psycopg.errors.ExclusionViolation:
        # Another appointment of the guru, in another zone, is there now. The session stays at its instant.
        log.error("appointment_kept_its_instant", tenant=str(found.tenant_id), appointment=str(found.id))
        return False
    return True


def _start(one: tuple[CurrentAppointment, datetime, datetime]) -> datetime:
    return one[0].starts_at
