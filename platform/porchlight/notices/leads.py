"""The mail that tells a guru of a lead."""

from __future__ import annotations

from html import escape
from uuid import UUID

import psycopg

from porchlight.notices.mail import Letter

_LEAD = """
SELECT l.name, l.email, l.phone, l.message, s.name, g.character, g.contact_email, g.label
  FROM leads l JOIN gurus g ON g.id = l.tenant_id
  LEFT JOIN services s ON s.tenant_id = l.tenant_id AND s.id = l.service_id
 WHERE l.tenant_id = %s AND l.id = %s"""


def letter_about_lead(conn: psycopg.Connection[tuple[object, ...]], tenant_id: UUID, lead_id: UUID) -> Letter | None:
    """The mail to the guru, or None when the lead is gone or the guru has no address to write to."""
    row = conn.execute(_LEAD, [tenant_id, lead_id]).fetchone()
    if row is None or not row[6]:
        return None
    name, email, phone, message, service, character, recipient, _label = (str(value or "") for value in row)
    rows = [("From", name), ("Email", email), ("Phone", phone), ("About", service)]
    plain = "\n".join(f"{label}: {value}" for label, value in rows if value) + f"\n\n{message}\n"
    table = "".join(
        f'<tr><td style="padding:2px 16px 2px 0;color:#555">{label}</td><td>{escape(value)}</td></tr>'
        for label, value in rows
        if value
    )
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in message.split("\n") if part.strip())
    return Letter(
        key=f"lead-{lead_id}",
        tenant_id=tenant_id,
        recipient=recipient,
        reply_to=email,
        subject=f"{name} wrote to {character}",
        plain=f"Somebody left a message on your site.\n\n{plain}\nReply to this mail to answer {name}.\n",
        html=(
            '<!doctype html><html><body style="font:16px/1.5 sans-serif;color:#111">'
            f"<p>Somebody left a message on your site.</p><table>{table}</table>{paragraphs}"
            f'<p style="color:#555">Reply to this mail to answer {escape(name)}.</p></body></html>'
        ),
    )
