"""Emails about swap rings: proposed, agreed, declined."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage

_TEMPLATES = EmailTemplates("porchlight.features.matches")
_STATES = ("proposed", "agreed", "declined")
_MEMBERS = "SELECT state, user_id, email, name, teaches FROM app.swap_ring_to_notify()"


def swap_ring_emails(conn: psycopg.Connection[Any], ring_id: UUID, main_origin: str) -> list[EmailMessage]:
    """Return an email about the state of the job's ring for each verified address of a member; none if one is gone."""
    members = conn.execute(_MEMBERS).fetchall()
    if len(members) != 3 or members[0][0] not in _STATES:
        return []
    messages: list[EmailMessage] = []
    for position, (state, user_id, email, name, skill_taught) in enumerate(members):
        if not email:
            continue
        student, teacher = members[(position + 1) % 3], members[(position + 2) % 3]
        messages.append(
            _TEMPLATES.create_message(
                f"swap_ring_{state}",
                key=f"ring-{ring_id}-{state}-{user_id}",
                to=Recipient(email, is_verified=True),
                name=name,
                why="You're receiving this because you listed skills you teach and skills you want to learn.",
                action=Action("View your swap rings", f"{main_origin}/skills?tab=ai-coach"),
                words={
                    "student": student[3],
                    "teacher": teacher[3],
                    "skill_taught": skill_taught,
                    "skill_learned": teacher[4],
                },
            )
        )
    return messages
