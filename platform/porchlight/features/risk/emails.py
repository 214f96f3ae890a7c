"""The email about a review that a guru asked for."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one

TEMPLATES = EmailTemplates("porchlight.features.risk", {"risk_reviewed": MailKind.ACCOUNT})
_ANSWERED = """
SELECT u.user_id AS owner, u.email AS recipient, u.email_verified AS is_verified, r.service_id, r.service, r.level
  FROM risk_review_requests r JOIN users u ON u.user_id = r.user_id
 WHERE r.user_id = %s AND r.id = %s AND r.level IS NOT NULL AND u.status = 'active' AND u.email <> ''"""


class _AnsweredRequest(NamedTuple):
    owner: UUID
    recipient: str
    is_verified: bool
    service_id: UUID
    service: str
    level: str


def risk_reviewed_email(conn: Connection, user_id: UUID, request_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email for the guru, or None if the request or its author is gone, or staff has not answered."""
    found = fetch_one(conn, _AnsweredRequest, _ANSWERED, [user_id, request_id])
    if found is None:
        return None
    return TEMPLATES.create_message(
        "risk_reviewed",
        key=f"risk-review-{request_id}",
        to=Recipient(found.recipient, found.is_verified, person=found.owner),
        why="You're receiving this because you asked for a review of your service's risk.",
        action=Action("View booking settings", f"{main_origin}/guru/services/{found.service_id}/booking"),
        notice="We reviewed the risk of your service",
        words={"service": found.service},
        facts={"level": found.level, "needs_waiver": found.level in ("high", "extreme")},
    )
