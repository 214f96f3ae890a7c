"""Documents come to an end: reminders 30, 7 and 1 days before, and the end itself. Run by the worker's sweep."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.jobs import ENQUEUE

REMIND_TASK = "remind_of_expiry"
LAPSE_TASK = "tell_of_lapse"
DAYS = (30, 7, 1)
UNUSED = timedelta(days=1)  # an upload of which no document was made is kept so long
_BATCH = 500

# What another document of the same kind outlives needs no word: its owner has done what the word would ask for.
_OUTLIVED = """
EXISTS (SELECT FROM documents o WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
           AND o.category = d.category AND o.status IN ('approved', 'pending')
           AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))"""
# Of the words that are due only the latest is said: after days of silence nobody hears "30 days" about tomorrow.
_DUE = f"""
INSERT INTO document_reminders (user_id, document_id, days)
SELECT d.user_id, d.id, CASE WHEN d.expires_on - %(today)s <= 1 THEN 1 WHEN d.expires_on - %(today)s <= 7 THEN 7
                             ELSE 30 END AS days
  FROM documents d
 WHERE d.status = 'approved' AND d.expires_on BETWEEN %(today)s AND %(today)s + 30 AND NOT {_OUTLIVED}
   AND NOT EXISTS (SELECT FROM document_reminders r WHERE r.user_id = d.user_id AND r.document_id = d.id
                      AND r.days <= CASE WHEN d.expires_on - %(today)s <= 1 THEN 1
                                         WHEN d.expires_on - %(today)s <= 7 THEN 7 ELSE 30 END)
 LIMIT %(batch)s
ON CONFLICT DO NOTHING RETURNING user_id, document_id, days"""  # noqa: S608 - put together from constants
_OVER = f"""
UPDATE documents d SET status = 'lapsed'
 WHERE (d.user_id, d.id) IN (SELECT x.user_id, x.id FROM documents x
                              WHERE x.status = 'approved' AND x.expires_on < %(today)s
                              LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
RETURNING d.user_id, d.id, {_OUTLIVED}"""  # noqa: S608 - put together from constants
_EVENT = """
INSERT INTO document_events (user_id, document_id, id, kind, actor, note) VALUES (%s, %s, %s, %s, 'sweep', %s)"""


def mind(overseer_dsn: str, today: date | None = None) -> tuple[int, int]:
    """Say what is due and end what is over; how many reminders and ends. A second run on the same day does nothing."""
    day = today or clock.now().date()
    over = _in_batches(overseer_dsn, day, _lapse)
    return _in_batches(overseer_dsn, day, _remind), over


def _in_batches(overseer_dsn: str, today: date, work: Any) -> int:
    total = 0
    while True:
        with psycopg.connect(overseer_dsn) as conn:
            done: int = work(conn, {"today": today, "batch": _BATCH})
        total += done
        if done < _BATCH:
            return total


def _remind(conn: psycopg.Connection[Any], given: dict[str, Any]) -> int:
    rows = conn.execute(_DUE, given).fetchall()
    for user_id, document_id, days in rows:
        conn.execute(_EVENT, [user_id, document_id, new_id(), "reminded", f"{days} days"])
        _enqueue(conn, REMIND_TASK, user_id, document_id, days=days)
    return len(rows)


def _lapse(conn: psycopg.Connection[Any], given: dict[str, Any]) -> int:
    rows = conn.execute(_OVER, given).fetchall()
    for user_id, document_id, outlived in rows:
        conn.execute(_EVENT, [user_id, document_id, new_id(), "lapsed", ""])
        if not outlived:
            _enqueue(conn, LAPSE_TASK, user_id, document_id)
    return len(rows)


def _enqueue(conn: psycopg.Connection[Any], task: str, user_id: UUID, document_id: UUID, **more: int) -> None:
    job = {"user_id": str(user_id), "document_id": str(document_id)} | more
    conn.execute(f"SELECT {ENQUEUE}(%s, %s, NULL)", [task, Jsonb(job)])


def forget_unused_uploads(conn: psycopg.Connection[Any]) -> int:
    """Let go of uploads of which no document was made; their files follow by job."""
    return conn.execute(
        "DELETE FROM document_files f WHERE f.created_at < %s"
        " AND NOT EXISTS (SELECT FROM documents d WHERE d.user_id = f.user_id AND d.file_id = f.id)",
        [clock.now() - UNUSED],
    ).rowcount
