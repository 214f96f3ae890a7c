"""The digest of leads: beyond EMAILS_PER_HOUR leads in an hour, the guru gets the rest in one email."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, Recipient
from porchlight.features.leads.emails import TEMPLATES, contact_address
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all

DIGEST_TASK = "leads:send_digest"
EMAILS_PER_HOUR = 10  # with one lead each, to one guru
DIGEST_DELAY = timedelta(minutes=1)  # after the hour, so that a lead that is grouped at its end is in the digest
MAX_NAMES = 50  # in a digest

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
_SELECT = """
SELECT l.id, l.name, g.character FROM leads l JOIN gurus g ON g.id = l.tenant_id
 WHERE l.tenant_id = %s AND l.awaits_digest ORDER BY l.created_at, l.id"""
_FINISH = "UPDATE leads SET awaits_digest = false WHERE tenant_id = %s AND id = ANY(%s)"


class _WaitingLead(NamedTuple):
    id: UUID
    name: str
    character: str


@dataclass(frozen=True, slots=True)
class LeadDigest:
    """Leads that were waiting, and their email. Without a contact address, or if the guru wants none, there is none."""

    lead_ids: list[UUID]
    message: EmailMessage | None


def group_lead(conn: Connection, tenant_id: UUID, lead_id: UUID) -> bool:
    """Leave a lead to the next digest if its hour had EMAILS_PER_HOUR leads before it. Return whether it was.

    In a transaction of the job leads:notify_guru only.
    """
    params = {"tenant": tenant_id, "lead": lead_id, "limit": EMAILS_PER_HOUR, "delay": DIGEST_DELAY}
    return conn.execute(_GROUP, params).fetchone() is not None


def lead_digest(conn: Connection, tenant_id: UUID, jobs: JobDependencies) -> LeadDigest | None:
    """Return the digest of the waiting leads, or None without any. In a transaction of the job leads:send_digest only.

    The newest lead is the email's key, so a job that runs again sends no second one.
    """
    leads = fetch_all(conn, _WaitingLead, _SELECT, [tenant_id])
    if not leads:
        return None
    address, is_verified = contact_address(conn, tenant_id)
    lead_ids = [lead.id for lead in leads]
    opt_out = find_opt_out(conn, MailKind.LEADS, None, jobs.main_origin)
    if not address or opt_out is None:
        return LeadDigest(lead_ids, None)
    count, guru = len(leads), leads[0].character
    message = TEMPLATES.create_message(
        "lead_digest",
        key=f"leads-{lead_ids[-1]}",
        tenant_id=tenant_id,
        to=Recipient(address, is_verified),
        name=guru,
        why="You're receiving this because people used the contact form on your site.",
        action=Action("Open your inbox", f"{jobs.main_origin}/guru/leads"),
        opt_out=opt_out if is_verified else replace(opt_out, page_url=""),
        notice=f"You have {count} new message{'s' if count > 1 else ''} on your site",
        notice_hint="To get messages in full, use the email you sign in with as your site's contact email.",
        words={"guru": guru, "visitors": [lead.name for lead in leads[:MAX_NAMES]]},
        facts={"count": count, "more": max(0, count - MAX_NAMES)},
    )
    return LeadDigest(lead_ids, message)


def finish_digest(conn: Connection, tenant_id: UUID, digest: LeadDigest) -> None:
    """Record that the leads of a digest no longer wait."""
    conn.execute(_FINISH, [tenant_id, digest.lead_ids])
