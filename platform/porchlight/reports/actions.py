"""Settling a report, once."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight import audit
from porchlight.audit import Act
from tenants.kit.errors import Conflict, NotFound

_RESOLVE = """
UPDATE reports SET status = 'resolved', outcome = %s, note = %s, resolved_by = %s, resolved_at = now()
 WHERE id = %s AND status = 'open' RETURNING subject_kind, subject_name"""


def resolve(overseer_dsn: str, actor: str, report_id: UUID, outcome: str, note: str) -> None:
    """Settle an open report with a note. Raises NotFound, and Conflict when a colleague was first."""
    with psycopg.connect(overseer_dsn) as conn:
        found = conn.execute(_RESOLVE, [outcome, note, actor, report_id]).fetchone()
        if found is None:
            if conn.execute("SELECT FROM reports WHERE id = %s", [report_id]).fetchone() is None:
                raise NotFound
            raise Conflict("This report was already resolved. Please reload to see how.")
        details = {"outcome": outcome, "note": note, "kind": found[0], "name": found[1]}
        audit.record(conn, Act(actor, "report.resolve", "report", str(report_id), details))
