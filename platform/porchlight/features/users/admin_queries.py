"""Queries on users for admins: a searchable list, and one user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tenants.db.list_search import Search, SearchQueries, begins_with, contains, search_rows
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.pagination import PAGE_SIZE, page_by_id, parse_id_cursor

_COLUMNS = """
SELECT u.user_id AS id, coalesce(p.display_name, '') AS display_name, coalesce(p.handle, '') AS handle, u.email,
       u.status, u.created_at, coalesce(g.label, '') AS guru
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
SELECT u.user_id AS id, coalesce(p.display_name, '') AS display_name, coalesce(p.handle, '') AS handle, u.email,
       u.status, u.created_at, coalesce(g.label, '') AS guru, u.email_verified, coalesce(p.bio, '') AS bio,
       coalesce(p.location, '') AS location, coalesce(p.skills_offered, '[]') AS skills_offered,
       coalesce(p.skills_wanted, '[]') AS skills_wanted, coalesce(p.is_public, false) AS is_public,
       (SELECT count(*) FROM sessions s WHERE s.user_id = u.user_id AND s.expires_at > app.now()) AS open_sessions,
       (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.user_id) AS last_seen_at,
       u.suspended_at, u.suspended_reason, coalesce(g.status, '') AS site_status,
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'profile' AND r.subject_id = u.user_id)
         + (SELECT count(*) FROM reports r WHERE r.guru_id = g.id) AS reports
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
 WHERE u.user_id = %(id)s AND u.status <> 'erased'"""


@dataclass(frozen=True, slots=True)
class _User:
    id: UUID
    display_name: str
    handle: str
    email: str
    status: str
    created_at: datetime
    guru: str


@dataclass(frozen=True, slots=True)
class _UserDetails(_User):
    email_verified: bool
    bio: str
    location: str
    skills_offered: list[dict[str, str]]
    skills_wanted: list[dict[str, str]]
    is_public: bool
    open_sessions: int
    last_seen_at: datetime | None
    suspended_at: datetime | None
    suspended_reason: str
    site_status: str
    reports: int


def _to_user(user: _User) -> dict[str, Any]:
    return {
        "id": str(user.id),
        "displayName": user.display_name,
        "handle": user.handle,
        "email": user.email,
        "status": user.status,
        "guru": user.guru or None,
        "createdAt": clock.to_iso8601(user.created_at),
    }


async def users(service_db: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """Return a page of users, newest first. `search`: a part of an email address, a name or a handle."""
    params = {"status": status, "before": parse_id_cursor(cursor)}
    if search.strip():
        rows = await search_rows(service_db, _SEARCH, search, params, _User)
    else:
        rows = await service_db.read(None, _LIST, params | {"limit": PAGE_SIZE + 1}, row=_User)
    return page_by_id(rows, _to_user)


async def user(service_db: Database, user_id: str) -> dict[str, Any]:
    """Return a user with all details. Raises NotFound."""
    rows = await service_db.read(None, _BY_ID, {"id": parse_id_or_404(user_id)}, row=_UserDetails)
    if not rows:
        raise NotFound
    (found,) = rows
    return _to_user(found) | {
        "emailVerified": found.email_verified,
        "bio": found.bio,
        "location": found.location,
        "skillsOffered": [skill["name"] for skill in found.skills_offered],
        "skillsWanted": [skill["name"] for skill in found.skills_wanted],
        "publicProfile": found.is_public,
        "openSessions": found.open_sessions,
        "lastSeenAt": clock.to_iso8601(found.last_seen_at) if found.last_seen_at else None,
        "suspendedAt": clock.to_iso8601(found.suspended_at) if found.suspended_at else None,
        "suspendedReason": found.suspended_reason,
        "siteStatus": found.site_status or None,
        "reports": found.reports,
    }
