"""The email with the leads that wait for a digest (`sites.leads.digest`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action
from porchlight.features.leads.emails import TEMPLATES, contact_address
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from sites.leads.digest import waiting_leads
from tenants.db.rows import Connection

MAX_NAMES = 50  # in a digest


@dataclass(frozen=True, slots=True)
class LeadDigest:
    """Leads that were waiting, and their email. Without a contact address there is none."""

    lead_ids: list[UUID]
    message: EmailMessage | None


def lead_digest(conn: Connection, tenant_id: UUID, jobs: JobDependencies) -> LeadDigest | None:
    """Return the digest of the waiting leads, or None without any. In a transaction of the job leads:send_digest only.

    The newest lead is the email's key, so a job that runs again sends no second one.
    """
    leads = waiting_leads(conn, tenant_id)
    if not leads:
        return None
    to = contact_address(conn, tenant_id)
    lead_ids = [lead.id for lead in leads]
    if to is None:
        return LeadDigest(lead_ids, None)
    opt_out = find_opt_out(conn, MailKind.LEADS, None, jobs.main_origin)
    count, guru = len(leads), leads[0].character
    message = TEMPLATES.create_message(
        "lead_digest",
        key=f"leads-{lead_ids[-1]}",
        tenant_id=tenant_id,
        to=to,
        name=guru,
        why="You're receiving this because people used the contact form on your site.",
        action=Action("Open your inbox", f"{jobs.main_origin}/guru/leads"),
        opt_out=opt_out if to.is_verified else replace(opt_out, page_url=""),
        notice=f"You have {count} new message{'s' if count > 1 else ''} on your site",
        notice_hint="To get messages in full, use the email you sign in with as your site's contact email.",
        words={"guru": guru, "visitors": [lead.name for lead in leads[:MAX_NAMES]]},
        facts={"count": count, "more": max(0, count - MAX_NAMES)},
    )
    return LeadDigest(lead_ids, message)
