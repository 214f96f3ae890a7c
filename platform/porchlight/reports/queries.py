"""Reports as staff read them."""

from __future__ import annotations

from typing import Any

from porchlight.lists import PAGE, before_of, likeness, page_of
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id

_PAGE = """
SELECT id, subject_kind, subject_name, subject_title, reason, status, created_at FROM reports
 WHERE (%(status)s::text IS NULL OR status = %(status)s)
   AND (%(kind)s::text IS NULL OR subject_kind = %(kind)s)
   AND (%(before)s::uuid IS NULL OR id < %(before)s){search}
 ORDER BY id DESC LIMIT %(limit)s"""
_LISTED = _PAGE.format(search="")
_SEARCHED = _PAGE.format(search=" AND subject_name ILIKE %(like)s")
_ONE = """
SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.status, r.created_at, r.subject_id, g.label,
       r.details, p.display_name, u.email,
       (SELECT count(*) FROM reports o WHERE o.subject_kind = r.subject_kind AND o.subject_id = r.subject_id
           AND o.status = 'open' AND o.id <> r.id),
       r.outcome, r.note, r.resolved_by, r.resolved_at
  FROM reports r LEFT JOIN gurus g ON g.id = r.guru_id LEFT JOIN users u ON u.user_id = r.reporter_id
  LEFT JOIN profiles p ON p.user_id = r.reporter_id
 WHERE r.id = %(id)s"""


def _row(found: tuple[Any, ...]) -> dict[str, Any]:
    report_id, kind, name, title, reason, status, created_at = found[:7]
    return {
        "id": str(report_id),
        "kind": kind,
        "name": name,
        "title": title,
        "reason": reason,
        "status": status,
        "createdAt": clock.wire(created_at),
    }


async def reports(
    overseer: Database, *, search: str, status: str | None, kind: str | None, cursor: str | None
) -> dict[str, Any]:
    """A page of reports, the newest first; `search` is part of the subject's name."""
    params = {
        "status": status,
        "kind": kind,
        "before": before_of(cursor),
        "like": likeness(search),
        "limit": PAGE + 1,
    }
    return page_of(await overseer.read(None, _SEARCHED if search.strip() else _LISTED, params), _row)


async def report(overseer: Database, wanted: str) -> dict[str, Any]:
    """Everything about one report. Raises NotFound."""
    rows = await overseer.read(None, _ONE, {"id": known_id(wanted)})
    if not rows:
        raise NotFound
    subject_id, guru, details, name, email, also, outcome, note, by, at = rows[0][7:]
    return _row(rows[0]) | {
        "subjectId": str(subject_id),
        "guru": guru,
        "details": details,
        "reporter": f"{name} <{email}>" if email else None,
        "alsoOpen": also,
        "outcome": outcome or None,
        "note": note,
        "resolvedBy": by,
        "resolvedAt": clock.wire(at) if at else None,
    }
