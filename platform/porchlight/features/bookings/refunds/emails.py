"""Tell both sides that a guru returned a part of a payment."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action, Recipient
from porchlight.features.bookings.emails.messages import TEMPLATES, WHY
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob
from tenants.kit import money
from tenants.kit.zones import local_time

_REFUND = """
SELECT r.id, r.amount_cents, r.fee_cents, r.actor, b.id AS booking_id, b.guru_name, b.person_name, b.service_name,
       b.starts_at, b.zone,
       coalesce((SELECT e.details ->> 'reason' FROM booking_events e
                  WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.event = 'refunded'
                    AND e.details ->> 'refund' = r.id::text), '') AS words
  FROM refunds r
  JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id
  JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE r.tenant_id = %s AND r.id = %s"""


class _ReturnedPart(NamedTuple):
    id: UUID
    amount_cents: int
    fee_cents: int
    actor: str
    booking_id: UUID
    guru_name: str
    person_name: str
    service_name: str
    starts_at: datetime
    zone: str
    words: str


def send_refund_emails(job: TenantJob, refund_id: UUID, jobs: JobDependencies) -> None:
    """Send the emails about a refund to both sides, as far as their accounts are active."""
    with job.transaction() as conn:
        refund = fetch_one(conn, _ReturnedPart, _REFUND, [job.tenant_id, refund_id])
        contacts = job_contacts(conn)
    if refund is None:
        return
    if contacts.person is not None:
        jobs.mailer.send(_person_email(jobs, job.tenant_id, refund, contacts.person))
    if contacts.guru is not None:
        jobs.mailer.send(_guru_email(jobs, job.tenant_id, refund, contacts.guru))


def _person_email(jobs: JobDependencies, tenant_id: UUID, refund: _ReturnedPart, to: Recipient) -> EmailMessage:
    amount = money.format_cents(refund.amount_cents)
    by = "Porchlight" if refund.actor == "staff" else refund.guru_name
    lines = [f"{amount} of what you paid goes back to your card, which takes 5 to 10 days."]
    return TEMPLATES.create_message(
        "booking",
        key=f"refund-{refund.id}-person",
        tenant_id=tenant_id,
        to=to,
        name=refund.person_name,
        why=WHY["person"],
        action=Action("See your orders", f"{jobs.main_origin}/account/orders"),
        notice="There's news about your session",
        words={
            "subject_text": f"{by} returned {amount} to you",
            "lines": lines,
            "quote_label": f"{by} wrote" if refund.words else "",
        },
        verbatim={"rows": _rows(refund), "quote": refund.words, "answers": []},
    )


def _guru_email(jobs: JobDependencies, tenant_id: UUID, refund: _ReturnedPart, to: Recipient) -> EmailMessage:
    amount = money.format_cents(refund.amount_cents)
    share = money.format_cents(refund.amount_cents - refund.fee_cents)
    person = refund.person_name or "your neighbor"
    by = "Porchlight" if refund.actor == "staff" else "You"
    return TEMPLATES.create_message(
        "booking",
        key=f"refund-{refund.id}-guru",
        tenant_id=tenant_id,
        to=to,
        name=refund.guru_name,
        why=WHY["guru"],
        action=Action("View the booking", f"{jobs.main_origin}/guru/calendar?booking={refund.booking_id}"),
        notice="There's news about a booking",
        words={
            "subject_text": f"{by} returned {amount} to {person}",
            "lines": [f"{share} comes from you, {money.format_cents(refund.fee_cents)} from our fee."],
            "quote_label": f"{by} wrote" if refund.words else "",
        },
        verbatim={"rows": _rows(refund), "quote": refund.words, "answers": []},
    )


def _rows(refund: _ReturnedPart) -> list[tuple[str, str]]:
    day = local_time(refund.starts_at, refund.zone).date()
    refunded = money.format_cents(refund.amount_cents)
    return [("Session", refund.service_name), ("Date", format_day(day)), ("Refund", refunded)]
