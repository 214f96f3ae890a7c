"""Emails about a user's documents: approved, rejected, expiring soon, expired."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind, OptOut, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one

DOCUMENTS_PATH = "/onboarding/documents"
DOCUMENT_NAMES = {
    "license": "license",
    "insurance": "liability insurance",
    "auto": "auto insurance",
    "cert": "certificate",
    "id": "ID",
}

TEMPLATES = EmailTemplates(
    "porchlight.features.documents",
    {
        "document_approved": MailKind.ACCOUNT,
        "document_rejected": MailKind.ACCOUNT,
        "document_expiring": MailKind.DOCUMENTS,
        "document_expired": MailKind.DOCUMENTS,
    },
)
_BUTTONS = {
    "document_approved": "View my documents",
    "document_rejected": "Upload a new copy",
    "document_expiring": "Upload a new one",
    "document_expired": "Upload a new one",
}
_DOCUMENT = """
SELECT u.user_id AS owner, u.email AS recipient, u.email_verified AS is_verified, d.type AS kind,
       coalesce(c.name, '') AS category, d.status, d.reason, d.expires_on
  FROM documents d JOIN users u ON u.user_id = d.user_id LEFT JOIN skill_categories c ON c.slug = d.category
 WHERE d.user_id = %s AND d.id = %s AND u.status = 'active' AND u.email <> ''"""


class _Document(NamedTuple):
    owner: UUID
    recipient: str
    is_verified: bool
    kind: str
    category: str
    status: str
    reason: str | None
    expires_on: date | None

    @property
    def name(self) -> str:
        return DOCUMENT_NAMES[self.kind] + (f" for {self.category}" if self.category else "")


def _load(conn: Connection, user_id: UUID, document_id: UUID) -> _Document | None:
    return fetch_one(conn, _Document, _DOCUMENT, [user_id, document_id])


def _create(
    template: str, key: str, document: _Document, main_origin: str, opt_out: OptOut | None = None
) -> EmailMessage:
    return TEMPLATES.create_message(
        template,
        key=key,
        to=Recipient(document.recipient, document.is_verified, person=document.owner),
        why="You're receiving this because you uploaded documents to Porchlight.",
        action=Action(_BUTTONS[template], main_origin + DOCUMENTS_PATH),
        opt_out=opt_out,
        # The reason is the staff's.
        facts={"document": document.name, "reason": document.reason, "expires_on": document.expires_on},
    )


def _create_reminder(
    conn: Connection, template: str, key: str, user_id: UUID, document: _Document, main_origin: str
) -> EmailMessage:
    opt_out = find_opt_out(conn, MailKind.DOCUMENTS, user_id, main_origin)
    return _create(template, key, document, main_origin, opt_out)


def document_reviewed_email(
    conn: Connection, user_id: UUID, document_id: UUID, main_origin: str
) -> EmailMessage | None:
    """Return the email about a review, or None if the document or its owner is gone."""
    document = _load(conn, user_id, document_id)
    if document is None or document.status in ("pending", "incomplete"):
        return None
    result = "rejected" if document.status == "rejected" else "approved"
    return _create(f"document_{result}", f"document-{document_id}-{result}", document, main_origin)


def document_expiring_email(
    conn: Connection, user_id: UUID, document_id: UUID, days: int, main_origin: str
) -> EmailMessage | None:
    """Return the reminder that a document expires in `days` days, or None if it is not approved any more."""
    document = _load(conn, user_id, document_id)
    if document is None or document.status != "approved" or document.expires_on is None:
        return None
    return _create_reminder(
        conn, "document_expiring", f"document-{document_id}-ends-{days}", user_id, document, main_origin
    )


def document_expired_email(conn: Connection, user_id: UUID, document_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email about an expired document, or None if it has not expired."""
    document = _load(conn, user_id, document_id)
    if document is None or document.status != "lapsed" or document.expires_on is None:
        return None
    return _create_reminder(conn, "document_expired", f"document-{document_id}-ended", user_id, document, main_origin)
