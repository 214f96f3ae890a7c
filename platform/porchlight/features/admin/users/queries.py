"""Queries on users for admins: a searchable list, and one user."""

from __future__ import annotations

from typing import Any

from tenants.db.list_search import Search, SearchQueries, begins_with, contains, search_rows
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.pagination import PAGE_SIZE, page_by_id, parse_id_cursor

_COLUMNS = """
SELECT u.user_id, coalesce(p.display_name, ''), coalesce(p.handle, ''), u.email, u.status, u.created_at,
       coalesce(g.label, '')
  FROM page u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
 ORDER BY u.user_id DESC"""
_SHOWN = """u.status <> 'erased' AND (%(status)s::text IS NULL OR u.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR u.user_id < %(before)s)"""
_PAGE = f"""
WITH page AS MATERIALIZED (
  SELECT u.user_id, u.email, u.status, u.created_at FROM {{source}} u
   WHERE {_SHOWN}{{condition}} ORDER BY u.user_id DESC LIMIT %(limit)s
)"""
_NEWEST = f"(SELECT * FROM users u WHERE {_SHOWN} ORDER BY u.user_id DESC LIMIT %(recent)s)"
# A subquery that Postgres cannot turn into one list of all profiles that fit, for the few rows of _NEWEST.
_NEWEST_CONDITION = f""" AND ({contains("u.email")} OR (
       SELECT {contains("p.display_name")} OR {contains("p.handle")} FROM profiles p WHERE p.user_id = u.user_id))"""
_SCAN_CONDITION = f""" AND ({contains("u.email")} OR EXISTS (
       SELECT FROM profiles p
        WHERE p.user_id = u.user_id AND ({contains("p.display_name")} OR {contains("p.handle")})))"""
# One index per column: a condition over both tables would scan them. The ids are sorted before the users are read, each
# by itself, so that only those of the page are read.
_MATCHES = f"""
WITH matches AS MATERIALIZED (
  SELECT user_id FROM users WHERE {{email}}
  UNION ALL SELECT user_id FROM profiles WHERE {{name}}
  UNION ALL SELECT user_id FROM profiles WHERE {{handle}} LIMIT %(many)s + 1
)
SELECT CASE WHEN (SELECT count(*) FROM matches) <= %(many)s THEN ARRAY(
  SELECT DISTINCT f.user_id FROM (SELECT user_id FROM matches ORDER BY 1 DESC) f
   CROSS JOIN LATERAL (SELECT * FROM users u WHERE u.user_id = f.user_id OFFSET 0) u
   WHERE {_SHOWN} ORDER BY 1 DESC LIMIT %(limit)s) END"""
_ROWS = f"""
WITH page AS MATERIALIZED (
  SELECT u.user_id, u.email, u.status, u.created_at FROM users u WHERE u.user_id = ANY (%(ids)s)
){_COLUMNS}"""


def _queries(email: str, name: str, handle: str) -> SearchQueries:
    """Return the queries with the conditions by which the indexes find the matches."""
    conditions = {"email": email, "name": name, "handle": handle}
    return SearchQueries(
        recent=_PAGE.format(source=_NEWEST, condition=_NEWEST_CONDITION) + _COLUMNS,
        matches=_MATCHES.format(**conditions),
        rows=_ROWS,
        scan=_PAGE.format(source="users", condition=_SCAN_CONDITION) + _COLUMNS,
    )


_LIST = _PAGE.format(source="users", condition="") + _COLUMNS
_SEARCH = Search(
    anywhere=_queries(contains("email"), contains("display_name"), contains("handle")),
    beginning=_queries(begins_with("email"), begins_with("display_name"), begins_with("handle")),
)

_BY_ID = """
SELECT u.user_id, coalesce(p.display_name, ''), coalesce(p.handle, ''), u.email, u.status, u.created_at,
       coalesce(g.label, ''), u.email_verified, coalesce(p.bio, ''), coalesce(p.location, ''),
       coalesce(p.skills_offered, '[]'), coalesce(p.skills_wanted, '[]'), coalesce(p.is_public, false),
       (SELECT count(*) FROM sessions s WHERE s.user_id = u.user_id AND s.expires_at > app.now()),
       (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.user_id),
       u.suspended_at, u.suspended_reason, coalesce(g.status, ''),
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'profile' AND r.subject_id = u.user_id)
         + (SELECT count(*) FROM reports r WHERE r.guru_id = g.id)
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
 WHERE u.user_id = %(id)s AND u.status <> 'erased'"""


def _to_user(row: tuple[Any, ...]) -> dict[str, Any]:
    user_id, name, handle, email, status, created_at, label = row[:7]
    return {
        "id": str(user_id),
        "displayName": name,
        "handle": handle,
        "email": email,
        "status": status,
        "guru": label or None,
        "createdAt": clock.to_iso8601(created_at),
    }


async def users(service_db: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """Return a page of users, newest first. `search`: a part of an email address, a name or a handle."""
    params = {"status": status, "before": parse_id_cursor(cursor)}
    if search.strip():
        rows = await search_rows(service_db, _SEARCH, search, params)
    else:
        rows = await service_db.read(None, _LIST, params | {"limit": PAGE_SIZE + 1})
    return page_by_id(rows, _to_user)


async def user(service_db: Database, user_id: str) -> dict[str, Any]:
    """Return a user with all details. Raises NotFound."""
    rows = await service_db.read(None, _BY_ID, {"id": parse_id_or_404(user_id)})
    if not rows:
        raise NotFound
    (
        email_verified,
        bio,
        location,
        skills_offered,
        skills_wanted,
        is_public,
        open_sessions,
        last_seen_at,
        suspended_at,
        suspended_reason,
        site_status,
        reports,
    ) = rows[0][7:]
    return _to_user(rows[0]) | {
        "emailVerified": email_verified,
        "bio": bio,
        "location": location,
        "skillsOffered": [skill["name"] for skill in skills_offered],
        "skillsWanted": [skill["name"] for skill in skills_wanted],
        "publicProfile": is_public,
        "openSessions": open_sessions,
        "lastSeenAt": clock.to_iso8601(last_seen_at) if last_seen_at else None,
        "suspendedAt": clock.to_iso8601(suspended_at) if suspended_at else None,
        "suspendedReason": suspended_reason,
        "siteStatus": site_status or None,
        "reports": reports,
    }
