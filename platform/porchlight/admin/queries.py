"""What staff read, across all tenants, as the overseer. Lists go by cursor: a page costs the same on any world."""

from __future__ import annotations

from typing import Any

from porchlight.lists import MANY, PAGE, before_of, likeness, page_of
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound

# A page is cut first; the numbers are counted for its rows alone.
_PAGE = """page AS MATERIALIZED (
  SELECT g.id, g.label, g.character, g.status, g.contact_email, g.created_at FROM {source}
   WHERE (%(status)s::text IS NULL OR g.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR g.id < %(before)s){and_also}
   ORDER BY g.id DESC LIMIT %(limit)s
)"""
_FOUND = """owners AS MATERIALIZED (
  SELECT user_id FROM users WHERE email ILIKE %(like)s
), found AS MATERIALIZED (
  SELECT id FROM gurus WHERE label >= %(from)s AND label < %(to)s
  UNION SELECT tenant_id FROM domains WHERE domain >= %(from)s AND domain < %(to)s
  UNION SELECT m.tenant_id FROM owners o JOIN memberships m ON m.user_id = o.user_id
), """
# What very many match is found soonest by walking from the newest on. Scalar subqueries are asked row by row.
_WALKED = """ AND (
       (g.label >= %(from)s AND g.label < %(to)s)
       OR (SELECT count(*) FROM domains d
            WHERE d.tenant_id = g.id AND d.domain >= %(from)s AND d.domain < %(to)s) > 0
       OR (SELECT bool_or(u.email ILIKE %(like)s) FROM memberships m JOIN users u ON u.user_id = m.user_id
            WHERE m.tenant_id = g.id))"""
_MANY = """
SELECT count(*) > %(many)s FROM (SELECT FROM (
  SELECT FROM gurus WHERE label >= %(from)s AND label < %(to)s
  UNION ALL SELECT FROM users WHERE email ILIKE %(like)s) matches LIMIT %(many)s + 1) counted"""
_ONE = "page AS MATERIALIZED (SELECT * FROM gurus g WHERE g.label = %(label)s)"
_NUMBERS = """
SELECT p.id, p.label, p.character, p.status, p.contact_email, p.created_at,
       u.user_id, coalesce(u.email, ''), coalesce(n.display_name, ''),
       ARRAY(SELECT d.domain FROM domains d WHERE d.tenant_id = p.id ORDER BY 1),
       (SELECT count(*) FROM posts x WHERE x.tenant_id = p.id AND x.status = 'published'),
       (SELECT coalesce(sum(v.views), 0)::bigint FROM post_views v WHERE v.tenant_id = p.id),
       (SELECT coalesce(sum(v.visitors), 0)::bigint FROM daily_visits v
         WHERE v.tenant_id = p.id AND v.day > current_date - 30),
       (SELECT count(*) FROM leads l WHERE l.tenant_id = p.id),
       (SELECT count(*) FROM reports r WHERE r.guru_id = p.id AND r.status = 'open')
  FROM page p LEFT JOIN memberships m ON m.tenant_id = p.id LEFT JOIN users u ON u.user_id = m.user_id
  LEFT JOIN profiles n ON n.user_id = m.user_id ORDER BY p.id DESC"""
_LISTED = "WITH " + _PAGE.format(source="gurus g", and_also="") + _NUMBERS
_SEARCHED = "WITH " + _FOUND + _PAGE.format(source="found f JOIN gurus g ON g.id = f.id", and_also="") + _NUMBERS
_SOUGHT = "WITH " + _PAGE.format(source="gurus g", and_also=_WALKED) + _NUMBERS
_NAMED = "WITH " + _ONE + _NUMBERS

# Users and reports are counted by triggers. What does not exist yet counts as 0 (SPEC 2.12).
_TOTALS = "SELECT name, sum(value)::bigint FROM totals GROUP BY name"
COUNTERS = ("users", "listings", "sessions", "reports")

_AUDIT = """
SELECT id, at, actor, action, subject_kind, subject_id, details FROM audit_log
 WHERE (%(before)s::bigint IS NULL OR id < %(before)s)
   AND (%(action)s::text IS NULL OR action = %(action)s OR action LIKE %(area)s)
   AND (%(subject)s::text IS NULL OR subject_id = %(subject)s)
   AND (%(actor)s::text IS NULL OR actor = %(actor)s)
 ORDER BY id DESC LIMIT %(limit)s"""


def _site(row: tuple[Any, ...]) -> dict[str, Any]:
    tenant_id, label, character, status, contact, created_at, owner, email, name = row[:9]
    domains, posts, views, visitors, leads, reports = row[9:]
    return {
        "id": str(tenant_id),
        "label": label,
        "character": character,
        "status": status,
        "ownerEmail": email or contact,
        "ownerName": name,
        "ownerId": str(owner) if owner else None,
        "domains": domains,
        "posts": posts,
        "views": views,
        "monthlyVisitors": visitors,
        "leads": leads,
        "openReports": reports,
        "createdAt": clock.wire(created_at),
    }


async def dashboard(overseer: Database) -> dict[str, Any]:
    """SPEC 3, dashboard summary."""
    totals = dict(await overseer.read(None, _TOTALS))
    return {name: {"total": totals.get(name, 0)} for name in COUNTERS}


async def sites(overseer: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """A page of guru sites, the newest first; `search` begins a label or a domain, or is part of the owner's email."""
    prefix = search.strip().lower()
    params = {
        "status": status,
        "from": prefix,
        "to": prefix + "\U0010ffff",
        "like": likeness(prefix),
        "before": before_of(cursor),
        "limit": PAGE + 1,
    }
    query = _LISTED
    if prefix:
        many = await overseer.read(None, _MANY, params | {"many": MANY})
        query = _SOUGHT if many[0][0] else _SEARCHED
    return page_of(await overseer.read(None, query, params), _site)


async def site(overseer: Database, label: str) -> dict[str, Any]:
    """One guru's site. Raises NotFound."""
    rows = await overseer.read(None, _NAMED, {"label": label})
    if not rows:
        raise NotFound
    return _site(rows[0])


async def acts(
    overseer: Database, *, action: str | None, subject: str | None, actor: str | None, before: int | None
) -> dict[str, Any]:
    """A page of the audit log, the newest first. `action` is one ("site.suspend") or an area of them ("site")."""
    area = f"{action}.%" if action and "." not in action and "%" not in action else None
    rows = await overseer.read(
        None,
        _AUDIT,
        {"before": before, "action": action, "area": area, "subject": subject, "actor": actor, "limit": PAGE + 1},
    )
    items = [
        {
            "id": row[0],
            "at": clock.wire(row[1]),
            "actor": row[2],
            "action": row[3],
            "subjectKind": row[4],
            "subjectId": row[5],
            "details": row[6],
        }
        for row in rows[:PAGE]
    ]
    return {"items": items, "nextCursor": str(rows[PAGE - 1][0]) if len(rows) > PAGE else None}
