"""Expiry of documents, run by the worker: reminders 30, 7 and 1 days before, and the expiration itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import psycopg

from tenants.db.jobs import enqueue_as_service
from tenants.kit import clock
from tenants.kit.ids import new_id

Connection = psycopg.Connection[Any]

REMIND_TASK = "documents:send_expiry_reminder"
LAPSE_TASK = "documents:notify_expired"
REMINDER_DAYS = (30, 7, 1)
UNUSED_UPLOAD_TTL = timedelta(days=1)  # for uploads without a document
_BATCH_SIZE = 500

# A document that has a successor of the same type and category needs no reminder.
_HAS_SUCCESSOR = """
EXISTS (SELECT FROM documents o WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
           AND o.category = d.category AND o.status IN ('approved', 'pending')
           AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))"""
# After an outage only the latest due reminder is sent, so that no email says "30 days" about tomorrow.
_INSERT_DUE_REMINDERS = f"""
INSERT INTO document_reminders (user_id, document_id, days)
SELECT d.user_id, d.id, CASE WHEN d.expires_on - %(today)s <= 1 THEN 1 WHEN d.expires_on - %(today)s <= 7 THEN 7
                             ELSE 30 END AS days
  FROM documents d
 WHERE d.status = 'approved' AND d.expires_on BETWEEN %(today)s AND %(today)s + 30 AND NOT {_HAS_SUCCESSOR}
   AND NOT EXISTS (SELECT FROM document_reminders r WHERE r.user_id = d.user_id AND r.document_id = d.id
                      AND r.days <= CASE WHEN d.expires_on - %(today)s <= 1 THEN 1
                                         WHEN d.expires_on - %(today)s <= 7 THEN 7 ELSE 30 END)
 LIMIT %(batch)s
ON CONFLICT DO NOTHING RETURNING user_id, document_id, days"""  # noqa: S608 - built from constants
_EXPIRE = f"""
UPDATE documents d SET status = 'lapsed'
 WHERE (d.user_id, d.id) IN (SELECT x.user_id, x.id FROM documents x
                              WHERE x.status = 'approved' AND x.expires_on < %(today)s
                              LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
RETURNING d.user_id, d.id, {_HAS_SUCCESSOR}"""  # noqa: S608 - built from constants
_EVENT = """
INSERT INTO document_events (user_id, document_id, id, kind, actor, note) VALUES (%s, %s, %s, %s, 'sweep', %s)"""


def process_document_expiry(service_dsn: str, today: date | None = None) -> tuple[int, int]:
    """Expire documents and enqueue reminders. Return the number of reminders and of expired documents.

    Safe to repeat on the same day.
    """
    day = today or clock.now().date()
    expired = _in_batches(service_dsn, day, _expire_batch)
    return _in_batches(service_dsn, day, _remind_batch), expired


def _in_batches(service_dsn: str, today: date, process_batch: Callable[[Connection, dict[str, Any]], int]) -> int:
    total = 0
    while True:
        with psycopg.connect(service_dsn) as conn:
            count = process_batch(conn, {"today": today, "batch": _BATCH_SIZE})
        total += count
        if count < _BATCH_SIZE:
            return total


def _remind_batch(conn: Connection, params: dict[str, Any]) -> int:
    rows = conn.execute(_INSERT_DUE_REMINDERS, params).fetchall()
    for user_id, document_id, days in rows:
        conn.execute(_EVENT, [user_id, document_id, new_id(), "reminded", f"{days} days"])
        _enqueue(conn, REMIND_TASK, user_id, document_id, days=days)
    return len(rows)


def _expire_batch(conn: Connection, params: dict[str, Any]) -> int:
    rows = conn.execute(_EXPIRE, params).fetchall()
    for user_id, document_id, has_successor in rows:
        conn.execute(_EVENT, [user_id, document_id, new_id(), "lapsed", ""])
        if not has_successor:
            _enqueue(conn, LAPSE_TASK, user_id, document_id)
    return len(rows)


def _enqueue(conn: Connection, task: str, user_id: UUID, document_id: UUID, **extra: Any) -> None:
    enqueue_as_service(conn, task, user_id=str(user_id), document_id=str(document_id), **extra)


def delete_unused_uploads(conn: Connection) -> int:
    """Delete uploads without a document. A job deletes their files."""
    return conn.execute(
        "DELETE FROM document_files f WHERE f.created_at < %s"
        " AND NOT EXISTS (SELECT FROM documents d WHERE d.user_id = f.user_id AND d.file_id = f.id)",
        [clock.now() - UNUSED_UPLOAD_TTL],
    ).rowcount
