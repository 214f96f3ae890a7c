"""The last email to a user: the confirmation that the account was deleted."""

from __future__ import annotations

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection

TEMPLATES = EmailTemplates("porchlight.features.account", {"account_deleted": MailKind.ACCOUNT})
_DELETED_USER = "SELECT id, recipient, name FROM app.job_rows(1) AS (id uuid, recipient text, name text)"


def account_deleted_email(conn: Connection, main_origin: str) -> EmailMessage | None:
    """Return the running job's last email for a deleted account, or None if it was sent.

    The account is gone; its address was verified.
    """
    row = conn.execute(_DELETED_USER).fetchone()
    if row is None:
        return None
    pending_id, address, name = row
    return TEMPLATES.create_message(
        "account_deleted",
        key=f"account-deleted-{pending_id}",
        to=Recipient(address, is_verified=True, person=None),
        name=name,
        why="Didn't delete your account? Please contact us right away.",
        action=Action("Contact us", f"{main_origin}/contact"),
    )


def delete_pending_account_email(conn: Connection) -> None:
    """Delete the address of the running job's account after its last email was sent."""
    conn.execute("SELECT app.delete_pending_account_email()")
