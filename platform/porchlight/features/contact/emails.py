"""Emails with messages of the contact form, for the staff: one by one, or a digest in a busy hour."""

from __future__ import annotations

from urllib.parse import quote
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection
from tenants.kit.email_addresses import wire_email

TEMPLATES = EmailTemplates(
    "porchlight.features.contact",
    {"contact_message": MailKind.STAFF, "contact_digest": MailKind.STAFF},
)
EMAILS_PER_HOUR = 10  # with one message each
MAX_MESSAGES = 50  # in one digest
_GROUP = "SELECT app.group_contact_message(%s)"
_DIGEST = "SELECT id, name, email, subject, message FROM app.contact_digest(%s)"
_FINISH = "SELECT app.finish_contact_digest(%s)"
_MESSAGE = "SELECT id, name, email, subject, message FROM app.contact_message()"


def contact_message_email(conn: Connection, staff_address: str) -> EmailMessage | None:
    """Return the running job's email for the staff, or None if the message is gone. A reply goes to its sender."""
    row = conn.execute(_MESSAGE).fetchone()
    if row is None:
        return None
    message_id, name, email, topic, message = (str(value) for value in row)
    return TEMPLATES.create_message(
        "contact_message",
        key=f"contact-{message_id}",
        to=Recipient(staff_address, is_verified=True),
        reply_to=email,
        why="You're receiving this because someone used the contact form on Porchlight. Reply to this email to answer.",
        action=Action("Answer", f"mailto:{quote(wire_email(email), safe='@+')}"),
        words={"sender": name, "topic": topic},
        verbatim={"email": email, "message": message},
    )


def group_message(conn: Connection) -> bool:
    """Leave the running job's message to the next digest if its hour had EMAILS_PER_HOUR before it.

    Return whether it was.
    """
    row = conn.execute(_GROUP, [EMAILS_PER_HOUR]).fetchone()
    return bool(row and row[0])


def contact_digest_email(
    conn: Connection, staff_address: str, main_origin: str
) -> tuple[list[UUID], EmailMessage] | None:
    """Return the first messages that wait and the email with them in full, or None without any.

    The last message is the email's key, so a job that runs again sends no second one.
    """
    rows = conn.execute(_DIGEST, [MAX_MESSAGES]).fetchall()
    if not rows:
        return None
    message = TEMPLATES.create_message(
        "contact_digest",
        key=f"contact-digest-{rows[-1][0]}",
        to=Recipient(staff_address, is_verified=True),
        why="You're receiving this because people used the contact form on Porchlight.",
        action=Action("Open Porchlight", f"{main_origin}/admin"),
        words={"headings": [(row[1], row[3]) for row in rows]},
        verbatim={"messages": [(row[2], row[4]) for row in rows]},
        facts={"count": len(rows)},
    )
    return [row[0] for row in rows], message


def finish_digest(conn: Connection, message_ids: list[UUID]) -> None:
    """Record that the messages of a sent digest no longer wait."""
    conn.execute(_FINISH, [message_ids])
