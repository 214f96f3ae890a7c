"""After the rules of a time zone have changed: sessions and blocked times stay at the local time that was agreed on.

The instant changes instead: both sides of a booking get an email with an update for their calendars. The job works as
the service role, because it looks at the appointments of all tenants. Only the worker imports this module.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from itertools import groupby
from uuid import UUID

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.store import FactsQuery
from sites.hours.zone_changes import CurrentAppointment, current_appointments, move_appointment, set_local_times
from tenants.db.rows import Connection
from tenants.kit.logs import log
from tenants.kit.zones import rules_version

TASK = "bookings:follow_zone_rules"
_SET_TENANT = "SELECT set_config('app.tenant_id', %s, true)"
_LOCK = "SELECT FROM app.lock_calendar()"


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
        for page in current_appointments(conn):
            for tenant_id, appointments in groupby(page, key=lambda found: found.tenant_id):
                moved += _follow(conn, tenant_id, list(appointments))
    if moved:
        log.info("appointments_follow_zone_rules", moved=moved, rules=rules_version())
    return moved


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
            set_local_times(conn, found)
        for found, starts_at, ends_at in later + sooner:
            moved += _move(conn, found, starts_at, ends_at)
    return moved


def _move(conn: Connection, found: CurrentAppointment, starts_at: datetime, ends_at: datetime) -> bool:
    command = commands.FollowClocks(session_id=found.id, starts_at=starts_at, ends_at=ends_at)
    try:
        with conn.transaction():
            if not move_appointment(conn, found, starts_at, ends_at):
                return False
            store.run_on(conn, FactsQuery(appointment=found.id), command)
    except psycopg.errors.ExclusionViolation:
        # Another appointment of the guru, in another zone, is there now. The session stays at its instant.
        log.error("appointment_kept_its_instant", tenant=str(found.tenant_id), appointment=str(found.id))
        return False
    return True


def _start(one: tuple[CurrentAppointment, datetime, datetime]) -> datetime:
    return one[0].starts_at
