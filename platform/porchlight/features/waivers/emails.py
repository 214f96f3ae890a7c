"""The email after a waiver was accepted.

It links to the receipt instead of carrying it: the receipt has the emergency contact and the network address, which are
erased after their time, and an email is not.
"""

from __future__ import annotations

from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.session_times import format_moment
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection

WAIVERS_PATH = "/waivers"
SEND_RECEIPT_TASK = "waivers:send_receipt"

TEMPLATES = EmailTemplates(
    "porchlight.features.waivers",
    {"waiver_receipt": MailKind.ACCOUNT},
)
_WAIVER = """
SELECT u.email, u.email_verified, w.record::jsonb #>> '{exchange,title}', coalesce(g.guru_name, ''), w.level, w.signed,
       w.accepted_at, w.expires_at
  FROM waivers w JOIN users u ON u.user_id = w.user_id LEFT JOIN own_waiver_gurus g ON g.guru_id = w.guru_id
 WHERE w.user_id = %s AND w.id = %s AND u.status = 'active' AND u.email <> ''"""


def receipt_email(conn: Connection, user_id: UUID, waiver_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email for the user who accepted a waiver, or None if the waiver or the account is gone."""
    row = conn.execute(_WAIVER, [user_id, waiver_id]).fetchone()
    if row is None:
        return None
    recipient, is_verified, title, guru, level, signed, accepted_at, expires_at = row
    return TEMPLATES.create_message(
        "waiver_receipt",
        key=f"waiver-{waiver_id}-receipt",
        to=Recipient(recipient, is_verified, person=user_id),
        why="You're receiving this because you accepted a waiver on Porchlight.",
        action=Action("Download your receipt", main_origin + WAIVERS_PATH),
        notice="Your waiver receipt is ready",
        words={"title": title, "guru": guru},
        facts={
            "rows": [
                ("Risk level", level.capitalize()),
                ("Signed" if signed else "Accepted", format_moment(accepted_at)),
                ("Valid until", format_moment(expires_at)),
                ("Waiver ID", str(waiver_id)),
            ]
        },
    )
