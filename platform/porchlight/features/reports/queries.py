"""Queries of reports for admins."""

from __future__ import annotations

from typing import Any

from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.pagination import PAGE_SIZE, ilike_pattern, page_by_id, parse_id_cursor

_SELECT_PAGE = """
SELECT id, subject_kind, subject_name, subject_title, reason, status, created_at FROM reports
 WHERE (%(status)s::text IS NULL OR status = %(status)s)
   AND (%(kind)s::text IS NULL OR subject_kind = %(kind)s)
   AND (%(before)s::uuid IS NULL OR id < %(before)s){search}
 ORDER BY id DESC LIMIT %(limit)s"""
_LIST = _SELECT_PAGE.format(search="")
_SEARCH = _SELECT_PAGE.format(search=" AND subject_name ILIKE %(like)s")
_SELECT_REPORT = """
SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.status, r.created_at, r.subject_id, g.label,
       r.details, p.display_name, u.email,
       (SELECT count(*) FROM reports o WHERE o.subject_kind = r.subject_kind AND o.subject_id = r.subject_id
           AND o.status = 'open' AND o.id <> r.id),
       r.outcome, r.note, r.resolved_by, r.resolved_at
  FROM reports r LEFT JOIN gurus g ON g.id = r.guru_id LEFT JOIN users u ON u.user_id = r.reporter_id
  LEFT JOIN profiles p ON p.user_id = r.reporter_id
 WHERE r.id = %(id)s"""


def _report_row(row: tuple[Any, ...]) -> dict[str, Any]:
    report_id, kind, name, title, reason, status, created_at = row[:7]
    return {
        "id": str(report_id),
        "kind": kind,
        "name": name,
        "title": title,
        "reason": reason,
        "status": status,
        "createdAt": clock.to_iso8601(created_at),
    }


async def reports(
    service_db: Database, *, search: str, status: str | None, kind: str | None, cursor: str | None
) -> dict[str, Any]:
    """Return a page of reports, newest first. `search`: part of the subject's name."""
    params = {
        "status": status,
        "kind": kind,
        "before": parse_id_cursor(cursor),
        "like": ilike_pattern(search),
        "limit": PAGE_SIZE + 1,
    }
    return page_by_id(await service_db.read(None, _SEARCH if search.strip() else _LIST, params), _report_row)


async def report(service_db: Database, report_id: str) -> dict[str, Any]:
    """Return a report with all details. Raises NotFound."""
    rows = await service_db.read(None, _SELECT_REPORT, {"id": parse_id_or_404(report_id)})
    if not rows:
        raise NotFound
    subject_id, guru, details, name, email, also_open, outcome, note, resolved_by, resolved_at = rows[0][7:]
    return _report_row(rows[0]) | {
        "subjectId": str(subject_id),
        "guru": guru,
        "details": details,
        "reporter": f"{name} <{email}>" if email else None,
        "alsoOpen": also_open,
        "outcome": outcome or None,
        "note": note,
        "resolvedBy": resolved_by,
        "resolvedAt": clock.to_iso8601(resolved_at) if resolved_at else None,
    }
