"""Resolving a report."""

from __future__ import annotations

from uuid import UUID

from porchlight.audit import recording
from porchlight.audit.recording import AuditEvent
from tenants.db.rows import Connection, fetch_value
from tenants.kit.errors import AlreadyDecided, NotFound

_RESOLVE = """
UPDATE reports SET status = 'resolved', outcome = %s, note = %s, resolved_by = %s, resolved_at = app.now()
 WHERE id = %s AND status = 'open' RETURNING subject_kind"""


def resolve(conn: Connection, actor: str, report_id: UUID, outcome: str, note: str) -> None:
    """Resolve an open report. Raises NotFound, and AlreadyDecided if another admin resolved it first."""
    kind = fetch_value(conn, str, _RESOLVE, [outcome, note, actor, report_id])
    if kind is None:
        if conn.execute("SELECT FROM reports WHERE id = %s", [report_id]).fetchone() is None:
            raise NotFound
        raise AlreadyDecided("This report was already resolved. Please reload to see how.")
    details = {"outcome": outcome, "note": note, "kind": kind}  # the log outlives the account that the name is of
    recording.record(conn, AuditEvent(actor, "report.resolve", "report", str(report_id), details))
