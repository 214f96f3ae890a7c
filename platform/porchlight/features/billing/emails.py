"""Emails about a failed payment of a plan."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from porchlight.plans.subscriptions import GRACE
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one

TEMPLATES = EmailTemplates(
    "porchlight.features.billing",
    {"payment_failed": MailKind.ACCOUNT},
)
_SUBSCRIPTION = """
SELECT u.email, u.email_verified, coalesce(nullif(p.first_name, ''), p.display_name) AS name, s.plan,
       coalesce(nullif(s.card_last4, ''), b.card_last4, '') AS last4
  FROM subscriptions s JOIN users u ON u.user_id = s.user_id LEFT JOIN profiles p ON p.user_id = s.user_id
  LEFT JOIN billing_customers b ON b.user_id = s.user_id
 WHERE s.user_id = %s AND s.id = %s AND s.state = 'past_due' AND s.past_due_since = %s AND u.status = 'active'"""


class PlanReminder(NamedTuple):
    """A reminder that is due, on a day after the first failed payment."""

    user_id: UUID
    subscription_id: UUID
    past_due_since: datetime
    day: int


class _Subscription(NamedTuple):
    email: str | None
    email_verified: bool
    name: str | None
    plan: str
    last4: str


def payment_failed_email(conn: Connection, reminder: PlanReminder, main_origin: str) -> EmailMessage | None:
    """Return a reminder, or None if the plan was paid meanwhile or the account has no address."""
    values = [reminder.user_id, reminder.subscription_id, reminder.past_due_since]
    row = fetch_one(conn, _Subscription, _SUBSCRIPTION, values)
    if row is None or not row.email:
        return None
    return TEMPLATES.create_message(
        "payment_failed",
        key=f"plan-payment-{reminder.subscription_id}-{reminder.past_due_since:%Y%m%d}-{reminder.day}",
        to=Recipient(row.email, row.email_verified, person=reminder.user_id),
        name=row.name or "",
        why="You're receiving this because a payment for your Porchlight plan didn't go through.",
        action=Action("Update your card", f"{main_origin}/account/plan"),
        facts={
            "plan": PLANS_BY_SLUG[PlanSlug(row.plan)].name,
            "day": reminder.day,
            "last4": row.last4,
            "until": (reminder.past_due_since + GRACE).date(),
        },
    )
