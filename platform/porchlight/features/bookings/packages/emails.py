"""Tell a person what the guru did with their package: gave it, extended it, or took sessions back.

Customers without an account get no such email: the guru tells them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action
from porchlight.features.bookings.emails.links import times_url
from porchlight.features.bookings.emails.messages import TEMPLATES
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.features.bookings.packages.queries import last_day
from porchlight.job_dependencies import JobDependencies
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob

_EVENT = """
SELECT e.event, e.details, g.guru_label, g.guru_name, g.service_id, g.service_name, g.name, g.granted, g.left_over,
       g.expires_at, g.zone, g.person_name
  FROM package_events e JOIN package_grants g ON g.tenant_id = e.tenant_id AND g.id = e.grant_id
 WHERE e.tenant_id = %s AND e.grant_id = %s AND e.number = %s"""
_WHY = "You're receiving this because {guru} gave you a package of sessions on Porchlight."
# By event: the subject, and what happened.
_TEXTS = {
    "granted": (
        "{guru} gave you a package: {name}",
        "You have {granted} sessions of {service}, to book whenever you like. A free cancellation returns its session.",
    ),
    "extended": ("{guru} extended your package: {name}", "You have more time to use your package."),
    "taken_back": ("{guru} took back sessions of your package", "{guru} took back {count} of your package {name}."),
}


class _PackageEvent(NamedTuple):
    event: str
    details: dict[str, Any]
    guru_label: str
    guru_name: str
    service_id: UUID
    service_name: str
    name: str
    granted: int
    left_over: int
    expires_at: datetime
    zone: str
    person_name: str


def send_package_email(job: TenantJob, grant_id: UUID, number: int, jobs: JobDependencies) -> None:
    """Send the email about the event `number` of a package, if its person has an account with a verified address."""
    with job.transaction() as conn:
        found = fetch_one(conn, _PackageEvent, _EVENT, [job.tenant_id, grant_id, number])
        recipient = job_contacts(conn).person
        if found is None or recipient is None or not recipient.is_verified:
            return
        site_origin = jobs.site_origin(conn, found.guru_label)
    subject, line = _TEXTS[found.event]
    taken = found.details.get("sessions", 0)
    values = {
        "guru": found.guru_name, "name": found.name, "service": found.service_name, "granted": str(found.granted),
        "count": "1 session" if taken == 1 else f"{taken} sessions",
    }  # fmt: skip
    can_book = found.left_over > 0
    action = Action("Choose a time", times_url(site_origin, found.service_id))
    jobs.mailer.send(
        TEMPLATES.create_message(
            "booking",
            key=f"package-{grant_id}-{number}",
            tenant_id=job.tenant_id,
            to=recipient,
            name=found.person_name,
            why=_WHY.format(guru=found.guru_name),
            action=action if can_book else Action("See your sessions", f"{jobs.main_origin}/sessions"),
            words={
                "subject_text": subject.format_map(values),
                "lines": [line.format_map(values)],
                "quote_label": f"{found.guru_name} wrote" if found.details.get("reason") else "",
            },
            verbatim={
                "rows": [
                    ("Package", found.name),
                    ("For", found.service_name),
                    ("Left", f"{found.left_over} of {found.granted} sessions"),
                    ("Until", format_day(last_day(found.expires_at, found.zone))),
                ],
                "quote": found.details.get("reason", ""),
                "answers": [],
            },
        )
    )
