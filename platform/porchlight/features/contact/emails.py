"""Email with a message of the contact form, for the staff."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.emails.templates import EmailTemplates
from porchlight.ports import EmailMessage

_TEMPLATES = EmailTemplates("porchlight.features.contact")
_MESSAGE = "SELECT id, name, email, subject, message FROM app.contact_message()"


def contact_message_email(conn: psycopg.Connection[Any], staff_address: str) -> EmailMessage | None:
    """Return the running job's email for the staff, or None if the message is gone. A reply goes to its sender."""
    row = conn.execute(_MESSAGE).fetchone()
    if row is None:
        return None
    message_id, name, email, topic, message = (str(value) for value in row)
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
