"""Queries of reports for admins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.reports import subjects
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
SELECT r.id, r.subject_kind, r.subject_name, r.subject_title, r.reason, r.status, r.created_at, r.subject_id,
       g.label AS guru, r.details, p.display_name AS reporter_name, u.email AS reporter_email,
       (SELECT count(*) FROM reports o WHERE o.subject_kind = r.subject_kind AND o.subject_id = r.subject_id
           AND o.status = 'open' AND o.id <> r.id) AS also_open,
       r.outcome, r.note, r.resolved_by, r.resolved_at, r.evidence
  FROM reports r LEFT JOIN gurus g ON g.id = r.guru_id LEFT JOIN users u ON u.user_id = r.reporter_id
  LEFT JOIN profiles p ON p.user_id = r.reporter_id
 WHERE r.id = %(id)s"""


@dataclass(frozen=True, slots=True)
class _Report:
    id: UUID
    subject_kind: str
    subject_name: str
    subject_title: str
    reason: str
    status: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class _ReportDetails(_Report):
    subject_id: UUID
    guru: str | None
    details: str
    reporter_name: str | None
    reporter_email: str | None
    also_open: int
    outcome: str
    note: str
    resolved_by: str | None
    resolved_at: datetime | None
    evidence: list[dict[str, Any]] | None


def _report_row(report: _Report) -> dict[str, Any]:
    return {
        "id": str(report.id),
        "kind": report.subject_kind,
        "name": report.subject_name,
        "title": report.subject_title,
        "reason": report.reason,
        "status": report.status,
        "createdAt": clock.to_iso8601(report.created_at),
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
    query = _SEARCH if search.strip() else _LIST
    return page_by_id(await service_db.read(None, query, params, row=_Report), _report_row)


async def report(service_db: Database, report_id: str) -> dict[str, Any]:
    """Return a report with all details. Raises NotFound."""
    rows = await service_db.read(None, _SELECT_REPORT, {"id": parse_id_or_404(report_id)}, row=_ReportDetails)
    if not rows:
        raise NotFound
    (found,) = rows
    evidence = [dict(message) for message in found.evidence or []]
    authors = [message.pop("authorId", None) for message in evidence]
    reported = [
        author for author, message in zip(authors, evidence, strict=True) if author and not message["byReporter"]
    ]
    author_id = UUID(reported[0]) if reported else None
    subject = await subjects.subject(service_db, found.subject_kind, found.subject_id, author_id)
    owner = subject.owner
    return _report_row(found) | {
        "subjectState": subject.state,
        "owner": {"userId": str(owner.user_id), "email": owner.email, "name": owner.name} if owner else None,
        "subjectId": str(found.subject_id),
        "guru": found.guru,
        "details": found.details,
        "reporter": f"{found.reporter_name} <{found.reporter_email}>" if found.reporter_email else None,
        "alsoOpen": found.also_open,
        "outcome": found.outcome or None,
        "note": found.note,
        "resolvedBy": found.resolved_by,
        "resolvedAt": clock.to_iso8601(found.resolved_at) if found.resolved_at else None,
        "evidence": evidence,
    }
