"""Emails with messages of the contact form, for the staff: one by one, or a digest in a busy hour."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value
from tenants.kit.email_addresses import wire_email

TEMPLATES = EmailTemplates(
    "porchlight.features.contact",
    {"contact_message": MailKind.STAFF, "contact_digest": MailKind.STAFF},
)
EMAILS_PER_HOUR = 10  # with one message each
DIGEST_DELAY = timedelta(minutes=1)  # after the hour, so that a message that is grouped at its end is in the digest
MAX_MESSAGES = 50  # in one digest
_GROUP = "SELECT app.group_contact_message(%s, %s)"
# The message of the job that sends one, or those that wait for a digest, the oldest first.
_MESSAGES = "SELECT * FROM app.job_rows(%s) AS (id uuid, name text, email text, subject text, message text)"
_FINISH = "SELECT app.finish_contact_digest(%s)"


class _Message(NamedTuple):
    id: UUID
    name: str
    email: str
    subject: str
    message: str


def contact_message_email(conn: Connection, staff_address: str) -> EmailMessage | None:
    """Return the running job's email for the staff, or None if the message is gone. A reply goes to its sender."""
    found = fetch_one(conn, _Message, _MESSAGES, [1])
    if found is None:
        return None
    return TEMPLATES.create_message(
        "contact_message",
        key=f"contact-{found.id}",
        to=Recipient(staff_address, is_verified=True),
        reply_to=found.email,
        why="You're receiving this because someone used the contact form on Porchlight. Reply to this email to answer.",
        action=Action("Answer", f"mailto:{quote(wire_email(found.email), safe='@+')}"),
        words={"sender": found.name, "topic": found.subject},
        verbatim={"email": found.email, "message": found.message},
    )


def group_message(conn: Connection) -> bool:
    """Leave the running job's message to the next digest if its hour had EMAILS_PER_HOUR before it.

    Return whether it was.
    """
    return bool(fetch_value(conn, bool, _GROUP, [EMAILS_PER_HOUR, DIGEST_DELAY]))


def contact_digest_email(
    conn: Connection, staff_address: str, main_origin: str
) -> tuple[list[UUID], EmailMessage] | None:
    """Return the first messages that wait and the email with them in full, or None without any.

    The last message is the email's key, so a job that runs again sends no second one.
    """
    messages = fetch_all(conn, _Message, _MESSAGES, [MAX_MESSAGES])
    if not messages:
        return None
    message = TEMPLATES.create_message(
        "contact_digest",
        key=f"contact-digest-{messages[-1].id}",
        to=Recipient(staff_address, is_verified=True),
        why="You're receiving this because people used the contact form on Porchlight.",
        action=Action("Open Porchlight", f"{main_origin}/admin"),
        words={"headings": [(one.name, one.subject) for one in messages]},
        verbatim={"messages": [(one.email, one.message) for one in messages]},
        facts={"count": len(messages)},
    )
    return [one.id for one in messages], message


def finish_digest(conn: Connection, message_ids: list[UUID]) -> None:
    """Record that the messages of a sent digest no longer wait."""
    conn.execute(_FINISH, [message_ids])
