"""Emails about leads: the new lead for the guru, and the guru's reply for the visitor."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.emails.templates import EmailTemplates
from porchlight.ports import EmailMessage
from sites.leads.schemas import LEAD_DETAILS
from tenants.kit import clock

Connection = psycopg.Connection[tuple[object, ...]]

_TEMPLATES = EmailTemplates("porchlight.features.console.leads")
_SELECT_LEAD = f"""
SELECT l.name, l.email, l.message, s.name, g.character, g.contact_email,
       {", ".join(f"l.{name}" for name in LEAD_DETAILS)}
  FROM leads l JOIN gurus g ON g.id = l.tenant_id
  LEFT JOIN services s ON s.tenant_id = l.tenant_id AND s.id = l.service_id
 WHERE l.tenant_id = %s AND l.id = %s"""  # noqa: S608 - constants only
# Replies go to the guru's contact address; without one, to the address of the account that owns the guru.
_SELECT_REPLY = """
SELECT a.body, l.name, l.email, l.message, g.character,
       coalesce(nullif(g.contact_email, ''),
                (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
                  WHERE m.tenant_id = g.id LIMIT 1), '')
  FROM lead_replies a
  JOIN leads l ON l.tenant_id = a.tenant_id AND l.id = a.lead_id
  JOIN gurus g ON g.id = a.tenant_id
 WHERE a.tenant_id = %s AND a.id = %s AND a.sent_at IS NULL"""
_MARK_REPLY_SENT = "UPDATE lead_replies SET sent_at = %s WHERE tenant_id = %s AND id = %s AND sent_at IS NULL"


def lead_received_email(conn: Connection, tenant_id: UUID, lead_id: UUID) -> EmailMessage | None:
    """Return the email for the guru, or None if the lead is gone or the guru has no contact address."""
    row = conn.execute(_SELECT_LEAD, [tenant_id, lead_id]).fetchone()
    if row is None or not row[5]:
        return None
    name, email, message, service, guru, recipient, *details = (str(value or "") for value in row)
    return _TEMPLATES.create_message(
        "lead_received",
        key=f"lead-{lead_id}",
        tenant_id=tenant_id,
        recipient=recipient,
        reply_to=email,
        name=name,
        email=email,
        message=message,
        rows=[*zip(LEAD_DETAILS.values(), details, strict=True), ("About", service)],
        guru=guru,
    )


def lead_reply_email(conn: Connection, tenant_id: UUID, reply_id: UUID) -> EmailMessage | None:
    """Return the email for the visitor, or None if it was sent or the lead is gone."""
    row = conn.execute(_SELECT_REPLY, [tenant_id, reply_id]).fetchone()
    if row is None:
        return None
    reply, name, recipient, message, guru, reply_to = (str(value) for value in row)
    return _TEMPLATES.create_message(
        "lead_reply",
        key=f"answer-{reply_id}",
        tenant_id=tenant_id,
        recipient=recipient,
        reply_to=reply_to,
        name=name,
        reply=reply,
        message=message,
        guru=guru,
    )


def mark_reply_sent(conn: Connection, tenant_id: UUID, reply_id: UUID) -> None:
    """Record that the reply was sent, so that it is not sent again."""
    conn.execute(_MARK_REPLY_SENT, [clock.now(), tenant_id, reply_id])
