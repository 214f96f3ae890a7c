"""Demo data of a connected calendar: the family calendar of a guru, which the product itself serves in development."""

from __future__ import annotations

from uuid import UUID

import psycopg
from starlette.responses import Response

from porchlight.features.busy_sources.source_secrets import SourceSecret, seal_secret
from porchlight.settings.environment import Settings
from porchlight.settings.secret_box import secret_box
from tenants.db.rows import fetch_value
from tenants.http.asgi import Receive, Scope, Send
from tenants.kit.ids import new_id

PATH = "/_calendar/family.ics"
GURU, NAME = "cooking", "Family"
# Evenings, after the hours of the demo's gurus: the demo shows all their times.
FILE = b"""BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Porchlight//Demo//EN\r
BEGIN:VEVENT\r
UID:choir@demo.example\r
DTSTAMP:20260105T000000Z\r
DTSTART;TZID=America/Denver:20260106T200000\r
DTEND;TZID=America/Denver:20260106T213000\r
RRULE:FREQ=WEEKLY;BYDAY=TU,TH\r
SUMMARY:Choir\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:dinner@demo.example\r
DTSTAMP:20260105T000000Z\r
DTSTART;TZID=America/Denver:20260111T200000\r
DTEND;TZID=America/Denver:20260111T220000\r
RRULE:FREQ=WEEKLY\r
SUMMARY:Dinner with the grandparents\r
END:VEVENT\r
END:VCALENDAR\r
"""
_FIND = "SELECT id FROM gurus WHERE label = %s"
_EXISTS = "SELECT EXISTS (SELECT FROM busy_sources WHERE tenant_id = %s)"
_CONNECT = """
INSERT INTO busy_sources (tenant_id, id, kind, name, host, secret, idempotency_key)
SELECT tenant_id, %(id)s, 'ics', %(name)s, %(host)s, %(secret)s, 'demo' FROM calendars WHERE tenant_id = %(guru)s"""


def load_all(settings: Settings) -> int:
    """Connect the calendar, unless the guru has one. The worker reads it. Return how many are new."""
    box, servers = secret_box(settings), sorted(settings.local_calendar_servers)
    if box is None or not servers:
        return 0
    with psycopg.connect(settings.overseer_database_url) as conn:
        guru = fetch_value(conn, UUID, _FIND, [GURU])
        if guru is None or fetch_value(conn, bool, _EXISTS, [guru]):
            return 0
        source_id = new_id()
        secret = seal_secret(box, SourceSecret(f"http://{servers[0]}{PATH}"), guru, source_id)
        host = servers[0].partition(":")[0]
        values = {"id": source_id, "name": NAME, "host": host, "secret": secret, "guru": guru}
        return conn.execute(_CONNECT, values).rowcount


async def family_calendar(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve the family's calendar file."""
    scope["porchlight.route"] = "(demo calendar)"
    await Response(FILE, media_type="text/calendar")(scope, receive, send)
