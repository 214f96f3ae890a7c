"""Email with a message of the contact form, for the staff."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import psycopg

from porchlight.emails.templates import Action, EmailTemplates, Recipient
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
        to=Recipient(staff_address, is_verified=True),
        reply_to=email,
        why="You're receiving this because someone used the contact form on Porchlight. Reply to this email to answer.",
        action=Action("Answer", f"mailto:{quote(email, safe='@')}"),
        words={"sender": name, "topic": topic},
        verbatim={"email": email, "message": message},
    )
