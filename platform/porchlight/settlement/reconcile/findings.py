"""Changes of findings other than by a comparison: by staff, and for an event that cannot be processed."""

from __future__ import annotations

from uuid import UUID

from tenants.db.rows import Connection
from tenants.kit.ids import new_id

_EXPLAIN = "UPDATE findings SET state = 'explained', note = %s, by = %s WHERE id = %s AND state = 'open'"
_OPEN = """
INSERT INTO findings (id, kind, account, stripe_id, cents) VALUES (%s, 'failed_event', %s, %s, 0)
ON CONFLICT (kind, account, stripe_id) DO UPDATE
  SET state = 'open', note = '', by = '', found_at = app.now(), seen_at = app.now()"""
_CLOSE = "UPDATE findings SET state = 'gone' WHERE kind = 'failed_event' AND stripe_id = %s AND state = 'open'"


def explain(conn: Connection, finding_id: UUID, note: str, *, holder: str) -> bool:
    """Close an open finding with a note of an admin. Return False if it is not open."""
    return conn.execute(_EXPLAIN, [note, holder, finding_id]).rowcount == 1


def open_failed_event(conn: Connection, account: str, event_id: str) -> None:
    """Open a finding for an event that people have to look at, again after an explanation."""
    conn.execute(_OPEN, [new_id(), account, event_id])


def close_failed_event(conn: Connection, event_id: str) -> None:
    """Close the finding of an event that is processed again."""
    conn.execute(_CLOSE, [event_id])
