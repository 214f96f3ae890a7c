"""Tell someone on a waitlist that the guru canceled the session. An offer of a free spot is an email about its hold."""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_period
from porchlight.emails.templates import Action
from porchlight.features.bookings.emails.links import times_url
from porchlight.features.bookings.emails.messages import TEMPLATES, WHY_WAITING
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import TenantJob

_ENTRY = """
SELECT w.guru_label, w.guru_name, w.service_id, w.service_name, w.starts_at, w.ends_at, w.zone
  FROM waitlist w WHERE w.tenant_id = %s AND w.appointment_id = %s AND w.number = %s"""
_LINE = "We're sorry: {guru} canceled {service}. You're off the waitlist and owe nothing."


def send_canceled(job: TenantJob, appointment_id: UUID, number: int, jobs: JobDependencies) -> None:
    """Send the email to the person who was number `number` of the session's waitlist."""
    with job.transaction() as conn:
        entry = conn.execute(_ENTRY, [job.tenant_id, appointment_id, number]).fetchone()
        to = job_contacts(conn).person
        if entry is None or to is None or not to.is_verified:
            return
        label, guru, service_id, service, starts_at, ends_at, zone_name = entry
        site_origin = jobs.site_origin(conn, label)
    zone = ZoneInfo(zone_name)
    jobs.mailer.send(
        TEMPLATES.create_message(
            "booking",
            key=f"waitlist-{appointment_id}-{number}-canceled",
            tenant_id=job.tenant_id,
            to=to,
            why=WHY_WAITING,
            action=Action("Choose another time", times_url(site_origin, service_id)),
            words={
                "subject_text": f"{guru} canceled the session you were waiting for",
                "lines": [_LINE.format(guru=guru, service=service)],
            },
            facts={
                "answers": [],
                "rows": [("When", format_period(starts_at.astimezone(zone), ends_at.astimezone(zone)))],
                "quote": "",
            },
        )
    )
