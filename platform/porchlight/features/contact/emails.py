"""Email with a message of the contact form, for the staff."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.emails.sender import EmailMessage
from porchlight.emails.templates import EmailTemplates

_TEMPLATES = EmailTemplates("porchlight.features.contact")
_MESSAGE = "SELECT name, email, subject, message FROM contact_messages WHERE id = %s"


def contact_message_email(
    conn: psycopg.Connection[tuple[object, ...]], message_id: UUID, staff_address: str
) -> EmailMessage | None:
    """Return the email for the staff, or None if the message is gone. A reply goes to its sender."""
    row = conn.execute(_MESSAGE, [message_id]).fetchone()
    if row is None:
        return None
    name, email, topic, message = (str(value) for value in row)
    return _TEMPLATES.create_message(
        "contact_message",
        key=f"contact-{message_id}",
        recipient=staff_address,
        reply_to=email,
        name=name,
        email=email,
        topic=topic,
        message=message,
    )
