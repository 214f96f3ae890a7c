"""The last email to a user: the confirmation that the account was deleted."""

from __future__ import annotations

from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection

TEMPLATES = EmailTemplates("porchlight.features.account", {"account_deleted": MailKind.ACCOUNT})
_PENDING = "SELECT recipient, name FROM pending_account_emails WHERE id = %s"
_FORGET = "DELETE FROM pending_account_emails WHERE id = %s"


def account_deleted_email(conn: Connection, pending_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the last email for a deleted account, or None if it was sent. As the service role.

    The account is gone; its address was verified.
    """
    row = conn.execute(_PENDING, [pending_id]).fetchone()
    if row is None:
        return None
    address, name = row
    return TEMPLATES.create_message(
        "account_deleted",
        key=f"account-deleted-{pending_id}",
        to=Recipient(address, is_verified=True, person=None),
        name=name,
        why="Didn't delete your account? Please contact us right away.",
        action=Action("Contact us", f"{main_origin}/contact"),
    )


def delete_pending_account_email(conn: Connection, pending_id: UUID) -> None:
    """Delete the address of a deleted account after its last email was sent. As the service role."""
    conn.execute(_FORGET, [pending_id])
