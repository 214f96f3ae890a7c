"""The subject of a report as it is now: whose it is, and whether others still see it."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import UUID

from tenants.db.pool import Database

SubjectState = Literal["shown", "unpublished", "hidden", "removed", "suspended", "gone"]

# Each returns the owner's id and the state, by the subject's id; of private messages, by their author's.
_SUBJECTS = {
    "site": """
SELECT (SELECT m.user_id FROM memberships m WHERE m.tenant_id = g.id) AS owner_id,
       CASE g.status WHEN 'active' THEN 'shown' WHEN 'suspended' THEN 'suspended' ELSE 'unpublished' END AS state
  FROM gurus g WHERE g.id = %(id)s""",
    "post": """
SELECT (SELECT m.user_id FROM memberships m WHERE m.tenant_id = p.tenant_id) AS owner_id,
       CASE p.status WHEN 'published' THEN 'shown' WHEN 'hidden' THEN 'hidden' ELSE 'unpublished' END AS state
  FROM posts p WHERE p.id = %(id)s""",
    "profile": """
SELECT u.user_id AS owner_id,
       CASE WHEN u.status = 'suspended' THEN 'suspended' WHEN p.is_public THEN 'shown' ELSE 'unpublished' END AS state
  FROM users u JOIN profiles p ON p.user_id = u.user_id WHERE u.user_id = %(id)s""",
    "listing": """
SELECT o.user_id AS owner_id,
       CASE WHEN h.owner_id IS NOT NULL THEN 'hidden' WHEN o.visible THEN 'shown' ELSE 'unpublished' END AS state
  FROM skill_offers o LEFT JOIN hidden_listings h ON h.owner_id = o.user_id AND h.phrase_id = o.phrase_id
 WHERE o.id = %(id)s""",
    "review": """
SELECT CASE r.side WHEN 'person' THEN r.person_id
                   ELSE (SELECT m.user_id FROM memberships m WHERE m.tenant_id = r.tenant_id) END AS owner_id,
       CASE WHEN r.removed_at IS NULL THEN 'shown' ELSE 'removed' END AS state
  FROM reviews r WHERE r.id = %(id)s""",
    "thread": """
SELECT u.user_id AS owner_id, CASE u.status WHEN 'suspended' THEN 'suspended' ELSE 'shown' END AS state
  FROM users u WHERE u.user_id = %(author)s""",
}
_OWNER = """
SELECT u.user_id, u.email, coalesce(nullif(p.display_name, ''), u.email) AS name
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id WHERE u.user_id = %(id)s"""


class _Subject(NamedTuple):
    owner_id: UUID | None
    state: SubjectState


class SubjectOwner(NamedTuple):
    """The account that a reported subject belongs to."""

    user_id: UUID
    email: str
    name: str


class ReportSubject(NamedTuple):
    """A reported subject. `owner` is None if the account is deleted, or a customer's without one."""

    state: SubjectState
    owner: SubjectOwner | None


async def subject(service_db: Database, kind: str, subject_id: UUID, author_id: UUID | None) -> ReportSubject:
    """Return the subject's state and its owner. A subject that no longer exists is "gone".

    `author_id`: the author of reported private messages.
    """
    rows = await service_db.read(None, _SUBJECTS[kind], {"id": subject_id, "author": author_id}, row=_Subject)
    if not rows:
        return ReportSubject("gone", None)
    (found,) = rows
    owners = await service_db.read(None, _OWNER, {"id": found.owner_id}, row=SubjectOwner) if found.owner_id else []
    return ReportSubject(found.state, owners[0] if owners else None)
