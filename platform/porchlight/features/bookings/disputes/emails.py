"""Tell a guru that a bank disputes a payment, and what it decided."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action
from porchlight.features.bookings.disputes.texts import reason_text
from porchlight.features.bookings.emails.messages import TEMPLATES, WHY
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.job_dependencies import JobDependencies
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob
from tenants.kit import money

DisputeEvent = Literal["inquiry", "opened", "decided"]
_DISPUTE = """
SELECT d.id, d.state, d.amount_cents, d.reason, d.due_by, coalesce(g.guru_name, b.guru_name) AS guru_name,
       coalesce(g.person_name, b.person_name) AS person_name, coalesce(g.name, b.service_name) AS service_name,
       CASE WHEN g.id IS NULL THEN b.starts_at ELSE p.paid_at END AS day, coalesce(g.zone, b.zone) AS zone,
       g.id IS NOT NULL AS is_package
  FROM session_disputes d
  JOIN payments p ON p.tenant_id = d.tenant_id AND p.group_id = d.group_id
  LEFT JOIN package_grants g ON g.tenant_id = p.tenant_id AND g.payment_id = p.id
  LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE d.tenant_id = %s AND d.id = %s AND (g.id IS NOT NULL OR b.id IS NOT NULL)
 ORDER BY g.id IS NULL, NOT d.parts @> jsonb_build_array(jsonb_build_object('payment', p.id)), b.starts_at LIMIT 1"""
_DECISIONS = {
    "won": ("The bank decided for you", "The bank returned {amount}. The session counts as paid."),
    "lost": ("The bank decided for the cardholder", "The cardholder keeps {amount}. There's nothing more to do."),
    "closed": ("The bank has no more questions", "The bank closed its question about {amount}."),
}
# Of a package, by the state.
_OF_PACKAGE = {
    "won": "The bank returned {amount}. Sessions of the package earn their part as before.",
    "lost": "The cardholder keeps {amount}. We took back the sessions that were left of the package.",
}


class _EmailedDispute(NamedTuple):
    id: UUID
    state: str
    amount_cents: int
    reason: str
    due_by: datetime | None
    guru_name: str
    person_name: str
    service_name: str
    day: datetime
    zone: str
    is_package: bool


def send_dispute_email(job: TenantJob, dispute_id: UUID, event: DisputeEvent, jobs: JobDependencies) -> None:
    """Send the email about a dispute that is new or decided, while the guru's account is active."""
    with job.transaction() as conn:
        dispute = fetch_one(conn, _EmailedDispute, _DISPUTE, [job.tenant_id, dispute_id])
        to = job_contacts(conn).guru
    if dispute is None or to is None or (event == "decided") != (dispute.state in _DECISIONS):
        return
    zone = ZoneInfo(dispute.zone)
    what = "package" if dispute.is_package else "session"
    amount = money.format_cents(dispute.amount_cents)
    until = format_day(dispute.due_by.astimezone(zone).date()) if dispute.due_by else ""
    if event == "decided":
        subject, line = _DECISIONS[dispute.state]
        if dispute.is_package:
            line = _OF_PACKAGE.get(dispute.state, line)
        lines = [line.format(amount=amount)]
    else:
        subject = "A bank asks about a payment"
        taken = "It has not taken any money yet." if event == "inquiry" else "It keeps the money until it decides."
        lines = [f"{reason_text(dispute.reason)} {taken}"]
        if until:
            lines.append(f"Please answer by {until}: say what happened. We add what we know about the {what}.")
    jobs.mailer.send(
        TEMPLATES.create_message(
            "booking",
            key=f"dispute-{dispute.id}-{event}",
            tenant_id=job.tenant_id,
            to=to,
            name=dispute.guru_name,
            why=WHY["guru"],
            action=Action(
                "See what it decided" if event == "decided" else "Answer the bank",
                f"{jobs.main_origin}/guru/money?dispute={dispute.id}",
            ),
            notice="A bank asks about a payment",
            words={"subject_text": subject, "lines": lines, "quote_label": ""},
            verbatim={
                "rows": [
                    ("Amount", amount),
                    (what.capitalize(), dispute.service_name),
                    ("Bought" if dispute.is_package else "Date", format_day(dispute.day.astimezone(zone).date())),
                    ("Bought by" if dispute.is_package else "Booked by", dispute.person_name),
                    ("Answer by", "" if event == "decided" else until),
                ],
                "quote": "",
                "answers": [],
            },
        )
    )
