"""Changes of findings other than by a comparison: by staff, and for an event, a refund or a transfer that failed."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from tenants.db.rows import Connection
from tenants.kit.ids import new_id

_EXPLAIN = "UPDATE findings SET state = 'explained', note = %s, by = %s WHERE id = %s AND state = 'open'"
_OPEN = """
INSERT INTO findings (id, kind, account, stripe_id, cents) VALUES (%s, 'failed_event', %s, %s, 0)
ON CONFLICT (kind, account, stripe_id) DO UPDATE
  SET state = 'open', note = '', by = '', found_at = app.now(), seen_at = app.now()"""
_CLOSE = "UPDATE findings SET state = 'gone' WHERE kind = 'failed_event' AND stripe_id = %s AND state = 'open'"

_OPEN_FAILURE = """
INSERT INTO findings (id, kind, stripe_id, cents) VALUES (%(id)s, %(kind)s, %(subject)s, %(cents)s)
ON CONFLICT (kind, account, stripe_id) DO UPDATE
  SET state = 'open', note = '', by = '', cents = excluded.cents, found_at = app.now(), seen_at = app.now()"""
_CLOSE_FAILURE = "UPDATE findings SET state = 'gone' WHERE kind = %s AND stripe_id = %s AND state = 'open'"

FailureKind = Literal["failed_refund", "stuck_transfer"]


def explain(conn: Connection, finding_id: UUID, note: str, *, holder: str) -> bool:
    """Close an open finding with a note of an admin. Return False if it is not open."""
    return conn.execute(_EXPLAIN, [note, holder, finding_id]).rowcount == 1


def open_failed_event(conn: Connection, account: str, event_id: str) -> None:
    """Open a finding for an event that people have to look at, again after an explanation."""
    conn.execute(_OPEN, [new_id(), account, event_id])


def close_failed_event(conn: Connection, event_id: str) -> None:
    """Close the finding of an event that is processed again."""
    conn.execute(_CLOSE, [event_id])


def open_failure(conn: Connection, kind: FailureKind, subject_id: UUID, cents: int) -> None:
    """Open a finding for money that did not reach whom it belongs to, again after an explanation."""
    conn.execute(_OPEN_FAILURE, {"id": new_id(), "kind": kind, "subject": str(subject_id), "cents": cents})


def close_failure(conn: Connection, kind: FailureKind, subject_id: UUID) -> None:
    """Close the finding of money that has reached whom it belongs to after all."""
    conn.execute(_CLOSE_FAILURE, [kind, str(subject_id)])
