"""Email with a question for a neighbor."""

from __future__ import annotations

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection

TEMPLATES = EmailTemplates(
    "porchlight.features.questions",
    {"question_received": MailKind.AGREEMENT},
)
_QUESTION = "SELECT id, body, asker, reply_to, name, email, email_verified FROM app.question_to_notify()"


def question_received_email(conn: Connection, main_origin: str) -> EmailMessage | None:
    """Return the running job's email for the neighbor, or None if the question or an account is gone."""
    row = conn.execute(_QUESTION).fetchone()
    if row is None:
        return None
    question_id, body, asker, reply_to, name, address, is_verified = row
    return TEMPLATES.create_message(
        "question_received",
        key=f"question-{question_id}",
        to=Recipient(address, is_verified),
        name=name,
        reply_to=reply_to,
        why="You're receiving this because your Porchlight profile is public. You can hide it on your profile page.",
        action=Action("Answer", f"{main_origin}/questions/{question_id}"),
        notice="A neighbor has a question for you",
        words={"asker": asker},
        verbatim={"body": body},
    )
