"""Demo data of notifications: what the demo's sessions, messages and requests would have told their people by email."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import psycopg

from porchlight.emails.kinds import MailKind
from porchlight.features.notifications.store import add_notification
from porchlight.ports import Notification
from tenants.db.rows import fetch_all

_PER_PERSON = 12
# Of each person the newest, the oldest first: ids follow the order in which rows are added.
_HAPPENED = """
SELECT person, kind, key, title, path, at, is_read FROM (
  SELECT h.*, row_number() OVER (PARTITION BY h.person ORDER BY h.at DESC, h.key) AS place,
         h.at < %(now)s - interval '2 days' AS is_read
    FROM (
      SELECT m.user_id AS person, 'leads' AS kind, 'lead-' || l.id AS key, 'New message from ' || l.name AS title,
             '/guru/leads/' || l.id AS path, l.created_at AS at
        FROM leads l JOIN memberships m ON m.tenant_id = l.tenant_id
       UNION ALL
      SELECT m.user_id, 'agreement', 'booking-' || b.id || '-booked-guru-0',
             'New booking: ' || b.service_name || ' with ' || coalesce(nullif(b.person_name, ''), 'a neighbor'),
             '/guru/calendar?booking=' || b.id, least(b.created_at, %(now)s)
        FROM bookings b JOIN memberships m ON m.tenant_id = b.tenant_id WHERE b.status = 'confirmed'
       UNION ALL
      SELECT b.person_id, 'agreement', 'booking-' || b.id || '-booked-person-0',
             'Booked: ' || b.service_name || ' with ' || b.guru_name, '/sessions/' || b.id, least(b.created_at, %(now)s)
        FROM bookings b WHERE b.status = 'confirmed' AND b.customer_token IS NULL
       UNION ALL
      SELECT n.user_id, 'agreement', 'offer-' || o.id, 'You have an offer for “' || n.title || '”', '/needs/' || n.id,
             o.created_at
        FROM need_offers o JOIN needs n ON n.id = o.need_id) h
    JOIN users u ON u.user_id = h.person AND u.status = 'active') found
 WHERE place <= %(max)s ORDER BY at, key"""
_SET_TIMES = """
UPDATE notifications SET created_at = %(at)s, push_at = NULL, mail_at = NULL,
       seen_at = CASE WHEN %(is_read)s THEN %(at)s END, read_at = CASE WHEN %(is_read)s THEN %(at)s END
 WHERE user_id = %(person)s AND key = %(key)s"""


class _Happened(NamedTuple):
    person: UUID
    kind: str
    key: str
    title: str
    path: str
    at: datetime
    is_read: bool


def load_all(service_dsn: str, now: datetime) -> int:
    """Add the notifications of all people of the demo, as their emails would. Return how many there are."""
    with psycopg.connect(service_dsn) as conn:
        happened = fetch_all(conn, _Happened, _HAPPENED, {"now": now, "max": _PER_PERSON})
        for one in happened:
            note = Notification(one.person, MailKind(one.kind), one.title, one.path)
            add_notification(conn, note, one.key, main_origin="")
            times = {"at": one.at, "is_read": one.is_read, "person": one.person, "key": one.key}
            conn.execute(_SET_TIMES, times)
        return len(happened)
