"""Emails about leads: the new lead for the guru, the receipt and the guru's reply for the visitor.

A visitor's address is only typed. So no email to it repeats what the visitor wrote: it could be anybody's address. Each
names the site and has two links: to say whether it was them, and to report the site. "This wasn't me" ends the emails.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from porchlight.emails.kinds import MailKind, OptOut, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from sites.leads.address_confirmation import AddressToken, prepare_address
from sites.leads.schemas import LEAD_DETAILS
from tenants.db.rows import Connection, fetch_one

TEMPLATES = EmailTemplates(
    "porchlight.features.leads",
    {
        "lead_received": MailKind.LEADS,
        "lead_digest": MailKind.LEADS,
        "lead_receipt": MailKind.VISITOR,
        "lead_reply": MailKind.VISITOR,
    },
)
_SELECT_LEAD = f"""
SELECT l.name, l.email, l.message, s.name, g.character, {", ".join(f"l.{name}" for name in LEAD_DETAILS)}
  FROM leads l JOIN gurus g ON g.id = l.tenant_id
  LEFT JOIN services s ON s.tenant_id = l.tenant_id AND s.id = l.service_id
 WHERE l.tenant_id = %s AND l.id = %s"""  # noqa: S608 - constants only
# The address counts as verified if it is that of the account that owns the guru. Any other one was only typed.
_RECIPIENT = """
SELECT g.contact_email AS address, coalesce(c.email_verified AND lower(c.email) = lower(g.contact_email), false)
       AS is_verified, c.user_id AS owner
  FROM gurus g LEFT JOIN app.job_contacts() c ON c.part = 'owner' WHERE g.id = %s"""
# One receipt a day to an address, so that leads cannot fill a mailbox.
_SELECT_RECEIPT = """
SELECT l.email, g.label FROM leads l JOIN gurus g ON g.id = l.tenant_id
 WHERE l.tenant_id = %s AND l.id = %s
   AND NOT EXISTS (SELECT FROM leads e WHERE e.tenant_id = l.tenant_id AND lower(e.email) = lower(l.email)
                      AND (e.created_at, e.id) < (l.created_at, l.id)
                      AND e.created_at > l.created_at - interval '1 day')"""
_SELECT_REPLY = """
SELECT a.body, l.email, g.character, g.label,
       coalesce(nullif(g.contact_email, ''), (SELECT c.email FROM app.job_contacts() c LIMIT 1), '')
  FROM lead_replies a
  JOIN leads l ON l.tenant_id = a.tenant_id AND l.id = a.lead_id
  JOIN gurus g ON g.id = a.tenant_id
 WHERE a.tenant_id = %s AND a.id = %s AND a.sent_at IS NULL"""


class _GuruContact(NamedTuple):
    address: str
    is_verified: bool
    owner: UUID | None


def contact_address(conn: Connection, tenant_id: UUID) -> Recipient | None:
    """Return the contact address of the job's guru with the owner's account, or None without an address."""
    found = fetch_one(conn, _GuruContact, _RECIPIENT, [tenant_id])
    return Recipient(found.address, found.is_verified, person=found.owner) if found and found.address else None


def lead_received_email(conn: Connection, tenant_id: UUID, lead_id: UUID, jobs: JobDependencies) -> EmailMessage | None:
    """Return the email for the guru, or None if the lead is gone, or the guru has no contact address.

    In a transaction of the job leads:notify_guru only.
    """
    row = conn.execute(_SELECT_LEAD, [tenant_id, lead_id]).fetchone()
    to = contact_address(conn, tenant_id)
    if row is None or to is None:
        return None
    opt_out = find_opt_out(conn, MailKind.LEADS, None, jobs.main_origin)
    visitor, email, message, service, guru, *details = (str(value or "") for value in row)
    return TEMPLATES.create_message(
        "lead_received",
        key=f"lead-{lead_id}",
        tenant_id=tenant_id,
        to=to,
        name=guru,
        reply_to=email,
        why="You're receiving this because someone used the contact form on your site.",
        action=Action("Answer", f"{jobs.main_origin}/guru/leads/{lead_id}"),
        notice="You have a new message on your site",
        # An address that was only typed belongs to anyone: it does not get the link to all settings of the owner.
        opt_out=opt_out if to.is_verified else replace(opt_out, page_url=""),
        notice_hint="To get messages in full, use the email you sign in with as your site's contact email.",
        words={
            "visitor": visitor,
            "guru": guru,
            "rows": [*zip(LEAD_DETAILS.values(), details, strict=True), ("About", service)],
        },
        verbatim={"email": email, "message": message},
    )


def lead_receipt_email(conn: Connection, tenant_id: UUID, lead_id: UUID, jobs: JobDependencies) -> EmailMessage | None:
    """Return the receipt for the visitor.

    Return None if the lead is gone, the address had a receipt that day, or its owner blocked the site.
    """
    row = conn.execute(_SELECT_RECEIPT, [tenant_id, lead_id]).fetchone()
    if row is None:
        return None
    address, label = row
    token = prepare_address(conn, tenant_id, address)
    if token is None:
        return None
    site_url = jobs.site_origin(conn, label)
    site = urlsplit(site_url).netloc
    return TEMPLATES.create_message(
        "lead_receipt",
        key=f"receipt-{lead_id}",
        tenant_id=tenant_id,
        to=Recipient(address, is_verified=False, person=None),
        why=f"You're receiving this because someone used this email on {site}.",
        action=Action("Back to the site", site_url),
        links=_links(token, jobs),
        opt_out=_opt_out(token, jobs),
        facts={"site": site},
    )


def lead_reply_email(conn: Connection, tenant_id: UUID, reply_id: UUID, jobs: JobDependencies) -> EmailMessage | None:
    """Return the email for the visitor, or None if it was sent, the lead is gone or its owner blocked the site.

    In a transaction of the job leads:send_reply only.
    """
    row = conn.execute(_SELECT_REPLY, [tenant_id, reply_id]).fetchone()
    if row is None:
        return None
    reply, address, guru, label, reply_to = row
    token = prepare_address(conn, tenant_id, address)
    if token is None:
        return None
    site_url = jobs.site_origin(conn, label)
    site = urlsplit(site_url).netloc
    return TEMPLATES.create_message(
        "lead_reply",
        key=f"answer-{reply_id}",
        tenant_id=tenant_id,
        # The guru, whom we know, answers a request from this address. ReplyLimits bound what a guru can do with it.
        to=Recipient(address, is_verified=True, person=None),
        reply_to=reply_to,
        why=f"You're receiving this because someone used this email on {site}. Reply to this email to answer.",
        action=Action("Visit the site", site_url),
        links=_links(token, jobs),
        opt_out=_opt_out(token, jobs),
        words={"guru": guru},
        facts={"site": site},
        verbatim={"reply": reply},
    )


def _opt_out(token: AddressToken, jobs: JobDependencies) -> OptOut:
    """Return the link for mail programs that blocks the site, as "This wasn't me" does. The page is in `_links`."""
    return OptOut(MailKind.VISITOR, "", f"{jobs.main_origin}/api/lead-addresses/{token.text}/unsubscription")


def _links(token: AddressToken, jobs: JobDependencies) -> tuple[Action, Action]:
    url = f"{jobs.main_origin}/mail/{token.text}"
    return Action("Didn't write this? Tell us", url), Action("Report this site", f"{url}#report")
