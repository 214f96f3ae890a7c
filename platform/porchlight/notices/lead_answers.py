"""The mail that brings a guru's answer to the person who left a lead."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter
from tenants.kit import clock

# The guru's own address is where the reply goes; without one, the address of the account that owns the guru.
_ANSWER = """
SELECT a.body, l.name, l.email, l.message, l.created_at, g.character,
       coalesce(nullif(g.contact_email, ''),
                (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
                  WHERE m.tenant_id = g.id LIMIT 1), '')
  FROM lead_answers a
  JOIN leads l ON l.tenant_id = a.tenant_id AND l.id = a.lead_id
  JOIN gurus g ON g.id = a.tenant_id
 WHERE a.tenant_id = %s AND a.id = %s AND a.sent_at IS NULL"""
_SENT = "UPDATE lead_answers SET sent_at = %s WHERE tenant_id = %s AND id = %s AND sent_at IS NULL"


def letter_of_answer(conn: psycopg.Connection[tuple[object, ...]], tenant_id: UUID, answer_id: UUID) -> Letter | None:
    """The mail, or None when it was sent already or the lead is gone."""
    row = conn.execute(_ANSWER, [tenant_id, answer_id]).fetchone()
    if row is None:
        return None
    body, name, recipient, message, _, character, reply_to = (str(value) for value in row)
    asked = "\n".join(f"> {line}" for line in message.splitlines())
    footer = f"You get this mail because you wrote to {character} on Porchlight. Reply to it to answer {character}."
    paragraphs = [body, f"On your message to {character}:\n{asked}"]
    title = f"{character} answered your message"
    return Letter(
        key=f"answer-{answer_id}",
        tenant_id=tenant_id,
        recipient=recipient,
        reply_to=reply_to,
        subject=title,
        plain=layout.plain([f"Hello {name},", *paragraphs], footer=footer),
        html=layout.html(title, [f"Hello {name},", *paragraphs], footer=footer),
    )


def mark_sent(conn: psycopg.Connection[tuple[object, ...]], tenant_id: UUID, answer_id: UUID) -> None:
    """The mail server took the mail: it is not sent again."""
    conn.execute(_SENT, [clock.now(), tenant_id, answer_id])
