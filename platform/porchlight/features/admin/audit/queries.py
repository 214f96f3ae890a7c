"""Query of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.pagination import PAGE_SIZE

_AUDIT_EVENTS = """
SELECT id, at, actor, action, subject_kind, subject_id, details FROM audit_log
 WHERE (%(before)s::bigint IS NULL OR id < %(before)s)
   AND (%(action)s::text IS NULL OR action = %(action)s OR action LIKE %(area)s)
   AND (%(subject)s::text IS NULL OR subject_id = %(subject)s)
   AND (%(actor)s::text IS NULL OR actor = %(actor)s)
 ORDER BY id DESC LIMIT %(limit)s"""


class _AuditEntry(NamedTuple):
    id: int
    at: datetime
    actor: str
    action: str
    subject_kind: str
    subject_id: str
    details: dict[str, Any]


async def audit_events(
    service_db: Database, *, action: str | None, subject: str | None, actor: str | None, before: int | None
) -> dict[str, Any]:
    """Return a page of the audit log, newest first. `action`: one action ("site.suspend") or its area ("site")."""
    area_pattern = f"{action}.%" if action and "." not in action and "%" not in action else None
    params = {
        "before": before,
        "action": action,
        "area": area_pattern,
        "subject": subject,
        "actor": actor,
        "limit": PAGE_SIZE + 1,
    }
    rows = await service_db.read(None, _AUDIT_EVENTS, params, row=_AuditEntry)
    items = [
        {
            "id": row.id,
            "at": clock.to_iso8601(row.at),
            "actor": row.actor,
            "action": row.action,
            "subjectKind": row.subject_kind,
            "subjectId": row.subject_id,
            "details": row.details,
        }
        for row in rows[:PAGE_SIZE]
    ]
    return {"items": items, "nextCursor": str(rows[PAGE_SIZE - 1].id) if len(rows) > PAGE_SIZE else None}
