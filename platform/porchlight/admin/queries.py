"""What staff read, across all tenants, as the overseer. Lists go by cursor: a page costs the same on any world."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id

PAGE = 50

# A page is cut first; the numbers are counted for its rows alone.
_SITES = """
WITH page AS (
  SELECT g.id, g.label, g.character, g.status, g.contact_email, g.created_at FROM gurus g
   WHERE (%(status)s::text IS NULL OR g.status = %(status)s)
     AND (%(label)s::text IS NULL OR g.label = %(label)s)
     AND (%(from)s::text IS NULL OR (g.label >= %(from)s AND g.label < %(to)s))
     AND (%(before)s::uuid IS NULL OR g.id < %(before)s)
   ORDER BY g.id DESC LIMIT %(limit)s
)
SELECT p.id, p.label, p.character, p.status, p.contact_email, p.created_at,
       ARRAY(SELECT d.domain FROM domains d WHERE d.tenant_id = p.id ORDER BY 1),
       (SELECT count(*) FROM posts x WHERE x.tenant_id = p.id AND x.status = 'published'),
       (SELECT coalesce(sum(v.views), 0)::bigint FROM post_views v WHERE v.tenant_id = p.id),
       (SELECT coalesce(sum(v.visitors), 0)::bigint FROM daily_visits v
         WHERE v.tenant_id = p.id AND v.day > current_date - 30),
       (SELECT count(*) FROM leads l WHERE l.tenant_id = p.id)
  FROM page p ORDER BY p.id DESC"""

_USERS = "SELECT count(*) FROM users WHERE status = 'active'"

_AUDIT = """
SELECT id, at, actor, action, subject_kind, subject_id, details FROM audit_log
 WHERE (%(before)s::bigint IS NULL OR id < %(before)s)
   AND (%(action)s::text IS NULL OR action = %(action)s)
   AND (%(subject)s::text IS NULL OR subject_id = %(subject)s)
 ORDER BY id DESC LIMIT %(limit)s"""


def _site(row: tuple[Any, ...]) -> dict[str, Any]:
    tenant_id, label, character, status, email, created_at, domains, posts, views, visitors, leads = row
    return {
        "id": str(tenant_id),
        "label": label,
        "character": character,
        "status": status,
        "ownerEmail": email,
        "domains": domains,
        "posts": posts,
        "views": views,
        "monthlyVisitors": visitors,
        "leads": leads,
        "createdAt": clock.wire(created_at),
    }


async def dashboard(overseer: Database) -> dict[str, Any]:
    """SPEC 3, dashboard summary. What does not exist yet counts as 0 (SPEC 2.12)."""
    rows = await overseer.read(None, _USERS)
    return {"users": {"total": rows[0][0]}, **{name: {"total": 0} for name in ("listings", "sessions", "reports")}}


async def sites(overseer: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """A page of guru sites, the newest first; `search` is the beginning of a label."""
    before: UUID | None = None
    if cursor and (before := parse_id(cursor)) is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    prefix = search.strip().lower() or None
    rows = await overseer.read(
        None,
        _SITES,
        {
            "status": status,
            "label": None,
            "from": prefix,
            "to": prefix + "\U0010ffff" if prefix else None,
            "before": before,
            "limit": PAGE + 1,
        },
    )
    more = len(rows) > PAGE
    return {"items": [_site(row) for row in rows[:PAGE]], "nextCursor": str(rows[PAGE - 1][0]) if more else None}


async def site(overseer: Database, label: str) -> dict[str, Any]:
    """One guru's site. Raises NotFound."""
    rows = await overseer.read(
        None, _SITES, {"status": None, "label": label, "from": None, "to": None, "before": None, "limit": 1}
    )
    if not rows:
        raise NotFound
    return _site(rows[0])


async def acts(overseer: Database, *, action: str | None, subject: str | None, before: int | None) -> dict[str, Any]:
    """A page of the audit log, the newest first."""
    rows = await overseer.read(
        None, _AUDIT, {"before": before, "action": action, "subject": subject, "limit": PAGE + 1}
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
