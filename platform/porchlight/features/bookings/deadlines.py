"""The jobs of each minute: end what has expired, complete what is over, queue reminders, agendas and unsent emails.

They work as the service role, because they look at the bookings of all tenants. Only the worker imports this module.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.lifecycle import COMPLETED_AFTER
from porchlight.features.bookings.models import MAX_LINK_EMAILS
from porchlight.features.bookings.packages.endings import tell_of_endings
from porchlight.features.bookings.store import FactsQuery
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_values
from tenants.kit import clock
from tenants.kit.logs import log
from tenants.kit.zones import day_bounds

NAMESPACE = "bookings"
EXPIRE_TASK, COMPLETE_TASK, REMIND_TASK = "bookings:expire", "bookings:complete", "bookings:remind"
MAX_TENANTS = 500  # of one run; the next run takes the others
MAX_EMAILS = 2000  # of one run
CHANGES_TASK = "bookings:send_changes"
AGENDA_HOUR = 18  # in the calendar's zone


_EXPIRED = """
SELECT tenant_id FROM bookings WHERE expires_at <= app.now()
UNION SELECT tenant_id FROM bookings WHERE proposed_until <= app.now() LIMIT %s"""
# No session lasts longer than a day.
_OVER = """
SELECT tenant_id, array_agg(id) FROM (
  SELECT tenant_id, id FROM bookings
   WHERE status = 'confirmed' AND starts_at <= %(before)s AND ends_at <= %(before)s LIMIT %(limit)s) over
 GROUP BY tenant_id"""
# Each reminder is due at a time before the start, and is skipped once it is too late for it. None is due within 15
# minutes after the person booked or moved the session.
_QUEUE_REMINDERS = """
INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
SELECT b.tenant_id, b.id, r.kind, 'person', b.sequence, b.person_id, b.starts_at - r.due
  FROM (VALUES ('day_before', interval '24 hours', interval '2 hours', false),
               ('soon', interval '2 hours', interval '0', false),
               ('waiver_week', interval '7 days', interval '2 days', true),
               ('waiver_days', interval '2 days', interval '0', true)) AS r (kind, due, late, is_waiver)
  JOIN bookings b ON b.starts_at <= app.now() + r.due AND b.starts_at > app.now() + r.late
 WHERE b.status = 'confirmed'
   AND b.customer_token IS NULL  -- a customer without an account can't turn reminders off
   AND (NOT r.is_waiver OR b.waiver_level <> '' AND coalesce(b.waiver_until <= b.starts_at, true))
   AND NOT EXISTS (SELECT FROM booking_emails e
                    WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.kind = r.kind AND e.side = 'person'
                      AND e.sequence = b.sequence)
   AND b.starts_at - r.due >= interval '15 minutes' + (
         SELECT max(v.at) FROM booking_events v
          WHERE v.tenant_id = b.tenant_id AND v.booking_id = b.id
            AND v.event IN ('confirmed', 'moved', 'clocks_changed'))
 LIMIT %s ON CONFLICT DO NOTHING"""
_UNSENT = """
SELECT DISTINCT tenant_id, booking_id FROM booking_emails WHERE status = 'due' AND due_at <= app.now()
   AND NOT collected LIMIT %s"""
# Of the guru, or of one person.
_UNSENT_CHANGES = """
SELECT DISTINCT tenant_id, side, CASE WHEN side = 'person' THEN person_id::text ELSE '' END FROM booking_emails
 WHERE status = 'due' AND due_at <= app.now() AND collected LIMIT %s"""
# Someone who has not signed is reminded a week and two days before the session, unless their link was emailed since:
# about this session or another one of the series, which has the same link.
_REMIND_SIGNERS = """
UPDATE participants p SET email_due = app.now()
  FROM bookings b,
       (VALUES (interval '7 days', interval '2 days'), (interval '2 days', interval '2 hours')) AS r (due, late)
 WHERE b.tenant_id = p.tenant_id AND b.id = p.booking_id AND p.signer = 'link' AND p.email <> ''
   AND p.email_due IS NULL AND p.emails < %s
   AND b.status = 'confirmed' AND b.starts_at <= app.now() + r.due AND b.starts_at > app.now() + r.late
   AND coalesce(p.waiver_until <= b.starts_at, true)
   AND coalesce((SELECT max(greatest(o.emailed_at, o.email_due)) FROM participants o
                  WHERE o.tenant_id = p.tenant_id AND o.signer_id = p.signer_id) < b.starts_at - r.due, true)"""
_UNSENT_LINKS = """
SELECT DISTINCT p.tenant_id, p.booking_id FROM participants p
  JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.email_due <= app.now() AND b.status = 'confirmed' LIMIT %s"""
_ZONES_WITH_SESSIONS = """
SELECT DISTINCT c.zone FROM bookings b JOIN calendars c ON c.tenant_id = b.tenant_id
 WHERE b.status = 'confirmed' AND b.starts_at > app.now() AND b.starts_at < app.now() + interval '31 hours'"""
# Each zone with its next local day.
_QUEUE_AGENDAS = """
INSERT INTO booking_agendas (tenant_id, day)
SELECT DISTINCT c.tenant_id, z.day
  FROM unnest(%(zones)s::text[], %(days)s::date[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
       AS z (zone, day, starts_at, ends_at)
  JOIN calendars c ON c.zone = z.zone
  JOIN bookings b ON b.tenant_id = c.tenant_id AND b.starts_at >= z.starts_at AND b.starts_at < z.ends_at
 WHERE b.status = 'confirmed'
   AND NOT EXISTS (SELECT FROM booking_agendas a WHERE a.tenant_id = c.tenant_id AND a.day = z.day)
 LIMIT %(limit)s ON CONFLICT DO NOTHING RETURNING tenant_id, day"""


def deadlines_blueprint(service_dsn: str) -> Blueprint:
    """Return the tasks bookings:expire, bookings:complete and bookings:remind."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="expire", pass_context=True, queueing_lock=EXPIRE_TASK)
    async def expire(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(expire_bookings, service_dsn)

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="complete", pass_context=True, queueing_lock=COMPLETE_TASK)
    async def complete(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(complete_bookings, service_dsn)

    @blueprint.periodic(cron="* * * * *")
    @blueprint.task(name="remind", pass_context=True, queueing_lock=REMIND_TASK)
    async def remind(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(queue_due_emails, service_dsn)

    return blueprint


def expire_bookings(service_dsn: str) -> None:
    """End the holds, requests and proposals whose time has passed. Seats that were held become free."""
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        for tenant_id in fetch_values(conn, UUID, _EXPIRED, [MAX_TENANTS]):
            _run(conn, tenant_id, commands.Expire())


def complete_bookings(service_dsn: str) -> None:
    """Complete the bookings whose sessions ended 24 hours ago."""
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        over = {"before": clock.now() - COMPLETED_AFTER, "limit": MAX_EMAILS}
        for tenant_id, ids in conn.execute(_OVER, over).fetchall():
            _run(conn, tenant_id, commands.Complete(ids=ids), ids)


def queue_due_emails(service_dsn: str) -> None:
    """Queue a job for each reminder, agenda, personal link and unsent email that is due."""
    with psycopg.connect(service_dsn) as conn:
        conn.execute(_QUEUE_REMINDERS, [MAX_EMAILS])
        for tenant_id, booking_id in conn.execute(_UNSENT, [MAX_EMAILS]).fetchall():
            ids = {"tenant_id": str(tenant_id), "booking_id": str(booking_id)}
            enqueue_as_service(conn, "bookings:send_emails", lock=f"bookings:send_emails:{booking_id}", **ids)
        for tenant_id, side, person_id in conn.execute(_UNSENT_CHANGES, [MAX_EMAILS]).fetchall():
            ids = {"tenant_id": str(tenant_id), "side": side, "person_id": person_id}
            enqueue_as_service(conn, CHANGES_TASK, lock=f"{CHANGES_TASK}:{tenant_id}:{person_id or side}", **ids)
        tell_of_endings(conn)
        conn.execute(_REMIND_SIGNERS, [MAX_LINK_EMAILS])
        for tenant_id, booking_id in conn.execute(_UNSENT_LINKS, [MAX_EMAILS]).fetchall():
            ids = {"tenant_id": str(tenant_id), "booking_id": str(booking_id)}
            enqueue_as_service(conn, "bookings:send_links", lock=f"bookings:send_links:{booking_id}", **ids)
        zones = fetch_values(conn, str, _ZONES_WITH_SESSIONS)
        for tenant_id, day in conn.execute(_QUEUE_AGENDAS, _next_days(zones, clock.now())).fetchall():
            enqueue_as_service(conn, "bookings:send_agenda", tenant_id=str(tenant_id), day=day.isoformat())


def _next_days(zones: Sequence[str], now: datetime) -> dict[str, Any]:
    """Return the parameters of _QUEUE_AGENDAS: the next day of each zone in which it is AGENDA_HOUR or later."""
    found: list[tuple[str, date, datetime, datetime]] = []
    for name in zones:
        zone = ZoneInfo(name)
        local = now.astimezone(zone)
        if local.hour >= AGENDA_HOUR:
            day = local.date() + timedelta(days=1)
            found.append((name, day, *day_bounds(zone, day)))
    columns = [list(column) for column in zip(*found, strict=True)] or [[], [], [], []]
    return dict(zip(("zones", "days", "starts", "ends"), columns, strict=True)) | {"limit": MAX_TENANTS}


def _run(conn: Connection, tenant_id: UUID, command: commands.Command, ids: Sequence[UUID] = ()) -> None:
    """Carry out a command for a tenant, unless a request holds the lock of the calendar: the next run tries again."""
    try:
        with conn.transaction():
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id)])
            store.run_on(conn, FactsQuery(ids=ids), command)
    except (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled) as error:
        log.warning("calendar_locked", tenant=str(tenant_id), error=type(error).__name__)
