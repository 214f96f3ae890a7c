"""Emails about swap rings: proposed, agreed, declined."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all

_STATES = ("proposed", "agreed", "declined")
TEMPLATES = EmailTemplates(
    "porchlight.features.matches",
    {f"swap_ring_{state}": MailKind.SWAP_RINGS for state in _STATES},
)
_MEMBERS = """
SELECT details ->> 'state' AS state, user_id, email, shown_name AS name, details ->> 'teaches' AS teaches
  FROM app.job_contacts()"""


class _Member(NamedTuple):
    state: str
    user_id: UUID
    email: str
    name: str
    teaches: str


def swap_ring_emails(conn: Connection, ring_id: UUID, main_origin: str) -> list[EmailMessage]:
    """Return an email about the state of the job's ring for each verified address of a member; none if one is gone."""
    members = fetch_all(conn, _Member, _MEMBERS)
    if len(members) != 3 or members[0].state not in _STATES:
        return []
    messages: list[EmailMessage] = []
    for position, (state, user_id, email, name, skill_taught) in enumerate(members):
        if not email:
            continue
        student, teacher = members[(position + 1) % 3], members[(position + 2) % 3]
        messages.append(
            TEMPLATES.create_message(
                f"swap_ring_{state}",
                key=f"ring-{ring_id}-{state}-{user_id}",
                to=Recipient(email, is_verified=True, person=user_id),
                name=name,
                why="You're receiving this because you listed skills you teach and skills you want to learn.",
                action=Action("View your swap rings", f"{main_origin}/skills?tab=ai-coach"),
                opt_out=find_opt_out(conn, MailKind.SWAP_RINGS, user_id, main_origin),
                words={
                    "student": student.name,
                    "teacher": teacher.name,
                    "skill_taught": skill_taught,
                    "skill_learned": teacher.teaches,
                },
            )
        )
    return messages
