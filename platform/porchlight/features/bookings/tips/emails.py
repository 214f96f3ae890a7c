"""Tell a guru that a person tipped them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action
from porchlight.features.bookings.emails.messages import TEMPLATES, WHY
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.job_dependencies import JobDependencies
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob
from tenants.kit.money import format_cents

_TIP = """
SELECT p.amount_cents, b.id AS booking_id, b.guru_name, b.person_name, b.service_name,
       b.starts_at, b.zone
  FROM payments p JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.tenant_id = %s AND p.id = %s AND p.state = 'paid'"""


class _Tip(NamedTuple):
    amount_cents: int
    booking_id: UUID
    guru_name: str
    person_name: str
    service_name: str
    starts_at: datetime
    zone: str


def send_tip_email(job: TenantJob, payment_id: UUID, jobs: JobDependencies) -> None:
    """Send the email about a tip, if the guru's account has a verified address."""
    with job.transaction() as conn:
        found = fetch_one(conn, _Tip, _TIP, [job.tenant_id, payment_id])
        recipient = job_contacts(conn).guru
    if found is None or recipient is None or not recipient.is_verified:
        return
    person = found.person_name or "A neighbor"
    amount = format_cents(found.amount_cents)
    day = found.starts_at.astimezone(ZoneInfo(found.zone)).date()
    jobs.mailer.send(
        TEMPLATES.create_message(
            "booking",
            key=f"tip-{payment_id}",
            tenant_id=job.tenant_id,
            to=recipient,
            name=found.guru_name,
            why=WHY["guru"],
            action=Action("Open your earnings", f"{jobs.main_origin}/guru/money"),
            words={
                "subject_text": f"{person} tipped you {amount}",
                "lines": [f"{person} added a tip of {amount} after your session. All of it is yours: no fee."],
                "quote_label": "",
            },
            verbatim={
                "rows": [("Session", found.service_name), ("On", format_day(day))],
                "quote": "",
                "answers": [],
            },
        )
    )
