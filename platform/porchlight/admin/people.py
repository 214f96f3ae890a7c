"""Neighbors as staff see them: a searchable list, newest first, and everything about one of them."""

from __future__ import annotations

from typing import Any

from porchlight.lists import MANY, PAGE, before_of, likeness, page_of
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id

_COLUMNS = """
SELECT u.user_id, coalesce(p.display_name, ''), coalesce(p.handle, ''), u.email, u.status, u.created_at,
       coalesce(g.label, '')
  FROM page u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
 ORDER BY u.user_id DESC"""
_PAGE = """
WITH page AS MATERIALIZED (
  SELECT u.user_id, u.email, u.status, u.created_at FROM users u
   WHERE u.status <> 'erased' AND (%(status)s::text IS NULL OR u.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR u.user_id < %(before)s)
   ORDER BY u.user_id DESC LIMIT %(limit)s
)"""
# By indices of trigrams, one a column: a condition over both tables would read them whole.
_FOUND = """
WITH found AS MATERIALIZED (
  SELECT user_id FROM users WHERE email ILIKE %(like)s
  UNION SELECT user_id FROM profiles WHERE display_name ILIKE %(like)s
  UNION SELECT user_id FROM profiles WHERE handle ILIKE %(like)s
), page AS MATERIALIZED (
  SELECT u.user_id, u.email, u.status, u.created_at FROM found f JOIN users u ON u.user_id = f.user_id
   WHERE u.status <> 'erased' AND (%(status)s::text IS NULL OR u.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR u.user_id < %(before)s)
   ORDER BY u.user_id DESC LIMIT %(limit)s
)"""
# What very many match is found soonest by walking from the newest on; sorting all of them would take longer.
_WALKED = """
WITH page AS MATERIALIZED (
  SELECT u.user_id, u.email, u.status, u.created_at FROM users u
   WHERE u.status <> 'erased' AND (%(status)s::text IS NULL OR u.status = %(status)s)
     AND (%(before)s::uuid IS NULL OR u.user_id < %(before)s)
     AND (u.email ILIKE %(like)s OR EXISTS (
       SELECT FROM profiles p WHERE p.user_id = u.user_id
          AND (p.display_name ILIKE %(like)s OR p.handle ILIKE %(like)s)))
   ORDER BY u.user_id DESC LIMIT %(limit)s
)"""
_MANY = """
SELECT count(*) > %(many)s FROM (SELECT FROM (
  SELECT FROM users WHERE email ILIKE %(like)s
  UNION ALL SELECT FROM profiles WHERE display_name ILIKE %(like)s
  UNION ALL SELECT FROM profiles WHERE handle ILIKE %(like)s) matches LIMIT %(many)s + 1) counted"""
_LISTED = _PAGE + _COLUMNS
_SEARCHED = _FOUND + _COLUMNS
_SOUGHT = _WALKED + _COLUMNS

_ONE = """
SELECT u.user_id, coalesce(p.display_name, ''), coalesce(p.handle, ''), u.email, u.status, u.created_at,
       coalesce(g.label, ''), u.email_verified, coalesce(p.bio, ''), coalesce(p.location, ''),
       coalesce(p.skills_offered, '[]'), coalesce(p.skills_wanted, '[]'), coalesce(p.is_public, false),
       (SELECT count(*) FROM sessions s WHERE s.user_id = u.user_id AND s.expires_at > now()),
       (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.user_id),
       u.suspended_at, u.suspended_reason, coalesce(g.status, ''),
       (SELECT count(*) FROM reports r WHERE r.subject_kind = 'profile' AND r.subject_id = u.user_id)
         + (SELECT count(*) FROM reports r WHERE r.guru_id = g.id)
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
 WHERE u.user_id = %(id)s AND u.status <> 'erased'"""


def _row(found: tuple[Any, ...]) -> dict[str, Any]:
    user_id, name, handle, email, status, created_at, label = found[:7]
    return {
        "id": str(user_id),
        "displayName": name,
        "handle": handle,
        "email": email,
        "status": status,
        "guru": label or None,
        "createdAt": clock.wire(created_at),
    }


async def people(overseer: Database, *, search: str, status: str | None, cursor: str | None) -> dict[str, Any]:
    """A page of neighbors, the newest first; `search` is part of an address, a name or a handle."""
    params = {"status": status, "before": before_of(cursor), "limit": PAGE + 1, "like": likeness(search)}
    query = _LISTED
    if search.strip():
        many = await overseer.read(None, _MANY, {"like": params["like"], "many": MANY})
        query = _SOUGHT if many[0][0] else _SEARCHED
    return page_of(await overseer.read(None, query, params), _row)


async def person(overseer: Database, wanted: str) -> dict[str, Any]:
    """Everything staff need to know of one neighbor. Raises NotFound."""
    rows = await overseer.read(None, _ONE, {"id": known_id(wanted)})
    if not rows:
        raise NotFound
    found = rows[0]
    (verified, bio, location, offered, skills_wanted, public, sessions, seen, since, reason, site, reports) = found[7:]
    return _row(found) | {
        "emailVerified": verified,
        "bio": bio,
        "location": location,
        "skillsOffered": [skill["name"] for skill in offered],
        "skillsWanted": [skill["name"] for skill in skills_wanted],
        "publicProfile": public,
        "openSessions": sessions,
        "lastSeenAt": clock.wire(seen) if seen else None,
        "suspendedAt": clock.wire(since) if since else None,
        "suspendedReason": reason,
        "siteStatus": site or None,
        "reports": reports,
    }
