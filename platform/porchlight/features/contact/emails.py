"""Emails with messages of the contact form, for the staff: one by one, or a digest in a busy hour."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all, fetch_one
from tenants.kit import clock
from tenants.kit.email_addresses import wire_email

TEMPLATES = EmailTemplates(
    "porchlight.features.contact",
    {"contact_message": MailKind.STAFF, "contact_digest": MailKind.STAFF},
)
EMAILS_PER_HOUR = 10  # with one message each
DIGEST_DELAY = timedelta(minutes=1)  # after the hour, so that a message that is grouped at its end is in the digest
MAX_MESSAGES = 50  # in one digest
SEND_DIGEST_TASK = "contact:send_digest"
_GROUP = """
UPDATE contact_messages m SET awaits_digest = true
 WHERE m.id = %(message)s
   AND (SELECT count(*) FROM (SELECT FROM contact_messages e
                               WHERE e.created_at BETWEEN date_trunc('hour', m.created_at) AND m.created_at
                                 AND (e.created_at, e.id) < (m.created_at, m.id) LIMIT %(max)s) earlier) = %(max)s"""
_ENQUEUE_DIGEST = "SELECT app.enqueue(%s, '{}', %s, NULL, %s)"
_MESSAGE = "SELECT id, name, email, subject, message FROM contact_messages WHERE id = %s"
_WAITING = """
SELECT id, name, email, subject, message FROM contact_messages WHERE awaits_digest ORDER BY created_at, id LIMIT %s"""
_FINISH = "UPDATE contact_messages SET awaits_digest = false WHERE id = ANY (%s)"


class _Message(NamedTuple):
    id: UUID
    name: str
    email: str
    subject: str
    message: str


def contact_message_email(conn: Connection, message_id: UUID, staff_address: str) -> EmailMessage | None:
    """Return the email for the staff, or None if the message is gone. A reply goes to its sender."""
    found = fetch_one(conn, _Message, _MESSAGE, [message_id])
    if found is None:
        return None
    return TEMPLATES.create_message(
        "contact_message",
        key=f"contact-{found.id}",
        to=Recipient(staff_address, is_verified=True, person=None),
        reply_to=found.email,
        why="You're receiving this because someone used the contact form on Porchlight. Reply to this email to answer.",
        action=Action("Answer", f"mailto:{quote(wire_email(found.email), safe='@+')}"),
        words={"sender": found.name, "topic": found.subject},
        verbatim={"email": found.email, "message": found.message},
    )


def group_message(conn: Connection, message_id: UUID) -> bool:
    """Leave a message to the next digest if its hour had EMAILS_PER_HOUR before it. Return whether it was.

    There is one digest for each hour: a message that is grouped at the end of the hour is in it.
    """
    if not conn.execute(_GROUP, {"message": message_id, "max": EMAILS_PER_HOUR}).rowcount:
        return False
    next_hour = clock.now().replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    lock = f"{SEND_DIGEST_TASK}:{int(next_hour.timestamp())}"
    conn.execute(_ENQUEUE_DIGEST, [SEND_DIGEST_TASK, lock, next_hour + DIGEST_DELAY])
    return True


def contact_digest_email(
    conn: Connection, staff_address: str, main_origin: str
) -> tuple[list[UUID], EmailMessage] | None:
    """Return the first messages that wait and the email with them in full, or None without any.

    The last message is the email's key, so a job that runs again sends no second one.
    """
    messages = fetch_all(conn, _Message, _WAITING, [MAX_MESSAGES])
    if not messages:
        return None
    message = TEMPLATES.create_message(
        "contact_digest",
        key=f"contact-digest-{messages[-1].id}",
        to=Recipient(staff_address, is_verified=True, person=None),
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
