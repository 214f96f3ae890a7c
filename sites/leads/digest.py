"""Leads that wait for a digest: beyond EMAILS_PER_HOUR leads in an hour, the guru gets the rest in one email."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tenants.db.rows import Connection, fetch_all

DIGEST_TASK = "leads:send_digest"
EMAILS_PER_HOUR = 10  # with one lead each, to one guru
DIGEST_DELAY = timedelta(minutes=1)  # after the hour, so that a lead that is grouped at its end is in the digest

# The digest starts a minute after the hour, and its start is part of its queueing lock: a lead that is grouped at the
# end of the hour is in it.
_GROUP = f"""
UPDATE leads l SET awaits_digest = true
 WHERE l.tenant_id = %(tenant)s AND l.id = %(lead)s
   AND (SELECT count(*) FROM (SELECT FROM leads e WHERE e.tenant_id = l.tenant_id
                                 AND e.created_at BETWEEN date_trunc('hour', l.created_at) AND l.created_at
                                 AND (e.created_at, e.id) < (l.created_at, l.id) LIMIT %(limit)s) earlier) = %(limit)s
RETURNING app.enqueue_task('{DIGEST_TASK}', '{{}}', true,
                           date_trunc('hour', app.now()) + interval '1 hour' + %(delay)s)"""  # noqa: S608
_WAITING = """
SELECT l.id, l.name, g.character FROM leads l JOIN gurus g ON g.id = l.tenant_id
 WHERE l.tenant_id = %(tenant)s AND l.awaits_digest ORDER BY l.created_at, l.id"""
_FINISH = "UPDATE leads SET awaits_digest = false WHERE tenant_id = %(tenant)s AND id = ANY(%(leads)s) RETURNING id"


class WaitingLead(NamedTuple):
    """A lead in a digest: its visitor's name and the guru's."""

    id: UUID
    name: str
    character: str


def group_lead(conn: Connection, tenant_id: UUID, lead_id: UUID) -> bool:
    """Leave a lead to the next digest if its hour had EMAILS_PER_HOUR leads before it. Return whether it was.

    In a transaction of the job leads:notify_guru only.
    """
    params = {"tenant": tenant_id, "lead": lead_id, "limit": EMAILS_PER_HOUR, "delay": DIGEST_DELAY}
    return conn.execute(_GROUP, params).fetchone() is not None


def waiting_leads(conn: Connection, tenant_id: UUID) -> list[WaitingLead]:
    """Return the leads that wait for a digest, the oldest first."""
    return fetch_all(conn, WaitingLead, _WAITING, {"tenant": tenant_id})


def finish_digest(conn: Connection, tenant_id: UUID, lead_ids: Sequence[UUID]) -> None:
    """Record that the leads of a digest no longer wait."""
    conn.execute(_FINISH, {"tenant": tenant_id, "leads": list(lead_ids)})
