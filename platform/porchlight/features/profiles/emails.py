"""The first email to a user: the welcome."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one
from tenants.kit import clock

TEMPLATES = EmailTemplates("porchlight.features.profiles", {"welcome": MailKind.ACCOUNT})
_NEW_USER = """
SELECT u.email, u.email_verified, coalesce(nullif(p.first_name, ''), p.display_name) AS name
  FROM users u JOIN profiles p ON p.user_id = u.user_id
 WHERE u.user_id = %s AND u.status = 'active' AND p.registered_at > %s"""


# Later, a verified address is a new one of a user who was welcomed.
NEW_USER_PERIOD = timedelta(days=7)


class _NewUser(NamedTuple):
    email: str | None
    email_verified: bool
    name: str


def welcome_email(conn: Connection, user_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email for a new user, or None if the account is gone, not new, or has no verified address.

    `app.on_user_email_verified` starts the job again once the address is verified.
    """
    user = fetch_one(conn, _NewUser, _NEW_USER, [user_id, clock.now() - NEW_USER_PERIOD])
    if user is None or not user.email or not user.email_verified:
        return None
    return TEMPLATES.create_message(
        "welcome",
        key=f"welcome-{user_id}",
        to=Recipient(user.email, user.email_verified, person=user_id),
        name=user.name,
        why="You're receiving this because someone created a Porchlight account with this email. Not you? Ignore it.",
        action=Action("Finish your profile", f"{main_origin}/profile"),
    )
