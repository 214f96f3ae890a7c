"""The email with the personal link on which a participant signs the waiver.

The person who booked typed the address, so the email has none of their words (`Recipient.is_verified`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action, Recipient
from porchlight.features.bookings.emails.messages import TEMPLATES
from porchlight.job_dependencies import JobDependencies
from porchlight.personal_links import SigningLink
from porchlight.ports import EmailMessage
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob
from tenants.kit.logs import log

_CLAIM = """
SELECT p.booking_id, p.number, p.email, p.token, p.emails, b.starts_at, b.zone,
       b.status = 'confirmed' AND b.starts_at > app.now() AND p.token IS NOT NULL AND p.email <> ''
       AND coalesce(p.waiver_until <= b.starts_at, true) AS is_needed
  FROM participants p JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.tenant_id = %(tenant)s AND p.booking_id = %(booking)s AND p.email_due <= app.now()
 ORDER BY p.number LIMIT 1 FOR UPDATE OF p SKIP LOCKED"""
_SENT = """
UPDATE participants SET email_due = NULL, emailed_at = app.now(), emails = emails + 1
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND number = %(number)s"""
_NOT_NEEDED = """
UPDATE participants SET email_due = NULL
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND number = %(number)s"""
_LATER = """
UPDATE participants SET email_due = app.now() + interval '10 minutes', emails = emails + 1
 WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s AND number = %(number)s"""


@dataclass(frozen=True, slots=True)
class DueLink:
    """A personal link whose email is due. `is_needed`: the session still waits for this signature."""

    booking_id: UUID
    number: int
    email: str
    token: UUID
    emails: int
    starts_at: datetime
    zone: str
    is_needed: bool


def send_links(job: TenantJob, booking_id: UUID, jobs: JobDependencies) -> None:
    """Send the due emails of a booking, one transaction each. A worker that dies sends the last one again."""
    while _send_next(job, booking_id, jobs):
        pass


def _send_next(job: TenantJob, booking_id: UUID, jobs: JobDependencies) -> bool:
    """Send one due email, or drop it. Return False if none is due."""
    with job.transaction() as conn:
        keys: dict[str, Any] = {"tenant": job.tenant_id, "booking": booking_id}
        due = fetch_one(conn, DueLink, _CLAIM, keys)
        if due is None:
            return False
        keys["number"] = due.number
        if not due.is_needed:
            conn.execute(_NOT_NEEDED, keys)
            return True
        try:
            is_sent = jobs.mailer.send(link_email(jobs, job.tenant_id, due))
        except OSError as error:
            log.warning("signing_link_failed", error=type(error).__name__)
            conn.execute(_LATER, keys)
            return True
        conn.execute(_SENT if is_sent else _NOT_NEEDED, keys)
        return True


def link_email(jobs: JobDependencies, tenant_id: UUID, due: DueLink) -> EmailMessage:
    """Return the email with a personal link. The page says who booked, and what."""
    return TEMPLATES.create_message(
        "signing_link",
        key=f"signing-link-{due.booking_id}-{due.number}-{due.emails}",
        tenant_id=tenant_id,
        to=Recipient(due.email, is_verified=False, person=None),
        why="You're receiving this because someone entered this address for you when they booked a session.",
        action=Action("Read and sign the waiver", SigningLink(tenant_id, due.token).url(jobs.main_origin)),
        facts={"day": format_day(due.starts_at.astimezone(ZoneInfo(due.zone)).date())},
    )
