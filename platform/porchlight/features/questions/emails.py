"""Email with a question for a neighbor."""

from __future__ import annotations

from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection

TEMPLATES = EmailTemplates(
    "porchlight.features.questions",
    {"question_received": MailKind.AGREEMENT},
)
_QUESTION = """
WITH contact AS MATERIALIZED (SELECT * FROM app.job_contacts())
SELECT q.body, a.shown_name, a.email, r.name, r.email, r.email_verified
  FROM questions q JOIN contact a ON a.part = 'asker' AND a.email_verified
  JOIN contact r ON r.part = 'recipient' AND r.email <> '' AND r.name IS NOT NULL
 WHERE q.user_id = %s AND q.id = %s"""


def question_received_email(
    conn: Connection, user_id: UUID, question_id: UUID, main_origin: str
) -> EmailMessage | None:
    """Return the email for the neighbor, or None if the question or an account is gone.

    In a transaction of the job questions:notify_recipient only.
    """
    row = conn.execute(_QUESTION, [user_id, question_id]).fetchone()
    if row is None:
        return None
    body, asker, reply_to, name, address, is_verified = row
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
