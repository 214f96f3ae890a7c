"""The log of acts, verified link by link."""

from __future__ import annotations

import psycopg

from porchlight.audit import Connection

# Every link: numbers without gaps, each entry's hash right, each previous hash that of the entry before.
_BROKEN = """
SELECT id FROM (
  SELECT e.id, e.previous, e.hash, app.audit_hash(e) AS right_hash,
         lag(e.id, 1, 0::bigint) OVER w AS id_before, lag(e.hash, 1, ''::bytea) OVER w AS hash_before
    FROM audit_log e WINDOW w AS (ORDER BY e.id)
) links
 WHERE id <> id_before + 1 OR previous <> hash_before OR hash <> right_hash
 ORDER BY id LIMIT 1"""
_HEAD = """
SELECT h.id, coalesce(l.id, 0), h.hash = coalesce(l.hash, ''::bytea)
  FROM audit_head h LEFT JOIN LATERAL (SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1) l ON true"""


def fault(conn: Connection) -> str | None:
    """What is wrong with the log, in a sentence; None when every link holds."""
    broken = conn.execute(_BROKEN).fetchone()
    if broken is not None:
        return f"The audit log was changed at entry {broken[0]}."
    head = conn.execute(_HEAD).fetchone()
    if head is None or head[0] != head[1] or not head[2]:
        return "Entries at the end of the audit log are missing or were replaced."
    return None


def state(overseer_dsn: str) -> dict[str, object]:
    """How many entries there are, whether the log is whole, and what is wrong with it if not."""
    with psycopg.connect(overseer_dsn) as conn:
        found = fault(conn)
        row = conn.execute("SELECT id FROM audit_head").fetchone()
    return {"whole": found is None, "entries": row[0] if row else 0, "fault": found}
