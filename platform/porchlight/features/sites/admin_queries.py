"""Queries on guru sites for admins, across all tenants. Cursor pagination keeps the cost of a page constant."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from tenants.db.list_search import Search, SearchQueries, begins_with, contains, search_rows
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import PAGE_SIZE, page_by_id, parse_id_cursor

# The statistics are computed only for the rows of the page.
_SHOWN = """(%(status)s::text IS NULL OR g.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR g.id < %(before)s)"""
_PAGE = f"""page AS MATERIALIZED (
  SELECT g.id, g.label, g.character, g.status, g.contact_email, g.created_at FROM {{source}} g
   WHERE {_SHOWN}{{condition}} ORDER BY g.id DESC LIMIT %(limit)s
)"""
_NEWEST = f"(SELECT * FROM gurus g WHERE {_SHOWN} ORDER BY g.id DESC LIMIT %(recent)s)"
_MATCHES = f"""
WITH owners AS MATERIALIZED (
  SELECT user_id FROM users WHERE {{email}} LIMIT %(many)s + 1
), matches AS MATERIALIZED (
  SELECT id FROM gurus WHERE label >= %(from)s AND label < %(to)s
  UNION ALL SELECT tenant_id FROM domains WHERE domain >= %(from)s AND domain < %(to)s
  UNION ALL SELECT m.tenant_id FROM owners o JOIN memberships m ON m.user_id = o.user_id LIMIT %(many)s + 1
)
SELECT CASE WHEN greatest((SELECT count(*) FROM owners), (SELECT count(*) FROM matches)) <= %(many)s THEN ARRAY(
  SELECT DISTINCT f.id FROM (SELECT id FROM matches ORDER BY 1 DESC) f
   CROSS JOIN LATERAL (SELECT * FROM gurus g WHERE g.id = f.id OFFSET 0) g
   WHERE {_SHOWN} ORDER BY 1 DESC LIMIT %(limit)s) END"""
# With many matches, scanning from the newest site is fastest. The scalar subqueries run per row.
_SCAN_CONDITION = f""" AND (
       (g.label >= %(from)s AND g.label < %(to)s)
       OR (SELECT count(*) FROM domains d
            WHERE d.tenant_id = g.id AND d.domain >= %(from)s AND d.domain < %(to)s) > 0
       OR (SELECT bool_or({contains("u.email")}) FROM memberships m JOIN users u ON u.user_id = m.user_id
            WHERE m.tenant_id = g.id))"""
_PAGE_OF_IDS = "page AS MATERIALIZED (SELECT * FROM gurus WHERE id = ANY (%(ids)s))"
_PAGE_OF_ONE = "page AS MATERIALIZED (SELECT * FROM gurus g WHERE g.label = %(label)s)"
_STATISTICS = """
SELECT p.id, p.label, p.character, p.status, p.contact_email, p.created_at,
       u.user_id AS owner_id, coalesce(u.email, '') AS owner_email, coalesce(n.display_name, '') AS owner_name,
       ARRAY(SELECT d.domain FROM domains d WHERE d.tenant_id = p.id ORDER BY 1) AS domains,
       (SELECT count(*) FROM posts x WHERE x.tenant_id = p.id AND x.status = 'published') AS posts,
       (SELECT coalesce(sum(v.views), 0)::bigint FROM post_views v WHERE v.tenant_id = p.id) AS views,
       (SELECT coalesce(sum(v.visitors), 0)::bigint FROM daily_visits v
         WHERE v.tenant_id = p.id AND v.day > app.now()::date - 30) AS monthly_visitors,
       (SELECT count(*) FROM leads l WHERE l.tenant_id = p.id) AS leads,
       (SELECT count(*) FROM reports r WHERE r.guru_id = p.id AND r.status = 'open') AS open_reports
  FROM page p LEFT JOIN memberships m ON m.tenant_id = p.id LEFT JOIN users u ON u.user_id = m.user_id
  LEFT JOIN profiles n ON n.user_id = m.user_id ORDER BY p.id DESC"""
_LIST = "WITH " + _PAGE.format(source="gurus", condition="") + _STATISTICS
_BY_LABEL = "WITH " + _PAGE_OF_ONE + _STATISTICS


def _queries(email: str) -> SearchQueries:
    """Return the queries with the condition by which the index of addresses finds the matches."""
    return SearchQueries(
        recent="WITH " + _PAGE.format(source=_NEWEST, condition=_SCAN_CONDITION) + _STATISTICS,
        matches=_MATCHES.format(email=email),
        rows="WITH " + _PAGE_OF_IDS + _STATISTICS,
        scan="WITH " + _PAGE.format(source="gurus", condition=_SCAN_CONDITION) + _STATISTICS,
    )


_SEARCH = Search(anywhere=_queries(contains("email")), beginning=_queries(begins_with("email")))


class _SiteRow(NamedTuple):
    id: UUID
    label: str
    character: str
    status: str
    contact_email: str
    created_at: datetime
    owner_id: UUID | None
    owner_email: str
    owner_name: str
    domains: list[str]
    posts: int
    views: int
    monthly_visitors: int
    leads: int
    open_reports: int


def _to_site(site: _SiteRow) -> dict[str, Any]:
    return {
        "id": str(site.id),
        "label": site.label,
        "character": site.character,
        "status": site.status,
        "ownerEmail": site.owner_email or site.contact_email,
        "ownerName": site.owner_name,
        "ownerId": str(site.owner_id) if site.owner_id else None,
        "domains": site.domains,
        "posts": site.posts,
        "views": site.views,
        "monthlyVisitors": site.monthly_visitors,
        "leads": site.leads,
        "openReports": site.open_reports,
        "createdAt": clock.to_iso8601(site.created_at),
    }


async def sites(service_db: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """Return a page of guru sites, newest first.

    `search`: the beginning of a label or a domain, or a part of the owner's email address.
    """
    prefix = search.strip().lower()
    params = {"status": status, "before": parse_id_cursor(cursor)}
    if prefix:
        values = params | {"from": prefix, "to": prefix + "\U0010ffff"}
        rows = await search_rows(service_db, _SEARCH, prefix, values, _SiteRow)
    else:
        rows = await service_db.read(None, _LIST, params | {"limit": PAGE_SIZE + 1}, row=_SiteRow)
    return page_by_id(rows, _to_site)


async def site(service_db: Database, label: str) -> dict[str, Any]:
    """Return a guru's site by its label. Raises NotFound."""
    rows = await service_db.read(None, _BY_LABEL, {"label": label}, row=_SiteRow)
    if not rows:
        raise NotFound
    return _to_site(rows[0])
