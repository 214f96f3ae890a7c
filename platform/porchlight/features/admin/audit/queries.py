"""Query of the audit log."""

from __future__ import annotations

from typing import Any

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
    rows = await service_db.read(None, _AUDIT_EVENTS, params)
    items = [
        {
            "id": row[0],
            "at": clock.to_iso8601(row[1]),
            "actor": row[2],
            "action": row[3],
            "subjectKind": row[4],
            "subjectId": row[5],
            "details": row[6],
        }
        for row in rows[:PAGE_SIZE]
    ]
    return {"items": items, "nextCursor": str(rows[PAGE_SIZE - 1][0]) if len(rows) > PAGE_SIZE else None}
