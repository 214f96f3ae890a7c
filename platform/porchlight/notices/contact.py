"""The mail that brings a message of the contact form to the staff."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter

_MESSAGE = "SELECT name, email, subject, message FROM contact_messages WHERE id = %s"


def letter_about_message(conn: psycopg.Connection[tuple[object, ...]], message_id: UUID, staff: str) -> Letter | None:
    """The mail to the staff, or None when the message is gone."""
    row = conn.execute(_MESSAGE, [message_id]).fetchone()
    if row is None:
        return None
    name, email, subject, message = (str(value) for value in row)
    title = subject or f"A message from {name}"
    paragraphs = [f"From: {name} <{email}>", message]
    footer = f"Somebody used the contact form. Reply to this mail to answer {name}."
    return Letter(
        key=f"contact-{message_id}",
        recipient=staff,
        reply_to=email,
        subject=title,
        plain=layout.plain(paragraphs, footer=footer),
        html=layout.html(title, paragraphs, footer=footer),
    )
