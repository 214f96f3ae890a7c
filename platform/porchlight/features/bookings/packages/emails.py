"""Tell a person what happened to their package, and that it ends soon. Tell a guru that one was sold.

Customers without an account get no such email: the guru tells them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.emails.session_times import format_day
from porchlight.emails.templates import Action
from porchlight.features.bookings.emails.links import times_url
from porchlight.features.bookings.emails.messages import TEMPLATES, WHY
from porchlight.features.bookings.emails.recipients import job_contacts
from porchlight.features.bookings.packages.queries import last_day
from porchlight.job_dependencies import JobDependencies
from tenants.db.rows import fetch_one
from tenants.db.tasks import TenantJob
from tenants.kit.money import format_cents

_EVENT = """
SELECT e.event, e.details, g.guru_label, g.guru_name, g.service_id, g.service_name, g.name, g.granted, g.left_over,
       g.expires_at, g.zone, g.person_name, g.payment_id
  FROM package_events e JOIN package_grants g ON g.tenant_id = e.tenant_id AND g.id = e.grant_id
 WHERE e.tenant_id = %s AND e.grant_id = %s AND e.number = %s"""
_SOLD = """
SELECT p.amount_cents, p.package ->> 'guru_name' AS guru_name, g.name, g.service_name, g.granted, g.person_name,
       g.expires_at, g.zone
  FROM payments p JOIN package_grants g ON g.tenant_id = p.tenant_id AND g.payment_id = p.id
 WHERE p.tenant_id = %s AND p.id = %s"""
_WHY = "You're receiving this because you have a package of sessions with {guru} on Porchlight."
_HOW = (
    "You have {granted} sessions of {service}. Book each one when it suits you, up to {day}. If you cancel in time, the"
    " session goes back to your package."
)
# By event: the subject, and what happened.
_TEXTS = {
    "granted": ("{guru} gave you a package: {name}", _HOW),
    "bought": ("You bought {name}: {granted} sessions with {guru}", _HOW),
    "ending": (
        "Your package {name} ends on {day}",
        "You have {left} of {granted} sessions left. If you can't find a time, ask {guru} to extend the package.",
    ),
    "extended": ("{guru} extended your package: {name}", "You have more time to use your package."),
    "taken_back": ("{guru} took back sessions of your package", "{guru} took back {count} of your package {name}."),
}
_TAKEN_BACK_AFTER_DISPUTE = (
    "Your package {name} has ended",
    "Your bank returned the price of your package to you, so we took back {count} that you had left.",
)
_NOT_REFUNDED = "Sessions that are left after that day can't be used, and are not refunded."


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
    payment_id: UUID | None


def send_package_email(job: TenantJob, grant_id: UUID, number: int, jobs: JobDependencies) -> None:
    """Send the email about the event `number` of a package, if its person has an account with a verified address."""
    with job.transaction() as conn:
        found = fetch_one(conn, _PackageEvent, _EVENT, [job.tenant_id, grant_id, number])
        recipient = job_contacts(conn).person
        if found is None or recipient is None or not recipient.is_verified:
            return
        site_origin = jobs.site_origin(conn, found.guru_label)
    is_after_dispute = "dispute" in found.details
    subject, line = _TAKEN_BACK_AFTER_DISPUTE if is_after_dispute else _TEXTS[found.event]
    reason = "" if is_after_dispute else found.details.get("reason", "")
    taken = found.details.get("sessions", 0)
    values = {
        "guru": found.guru_name, "name": found.name, "service": found.service_name, "granted": str(found.granted),
        "count": "1 session" if taken == 1 else f"{taken} sessions", "left": str(found.left_over),
        "day": format_day(last_day(found.expires_at, found.zone)),
    }  # fmt: skip
    lines = [line.format_map(values)]
    cents = format_cents(found.details["cents"]) if found.details.get("cents") else ""
    if cents and found.event == "taken_back":
        lines.append(f"{cents} goes back to your card, which takes 5 to 10 days.")
    if found.event == "ending" and found.payment_id is not None:
        lines.append(_NOT_REFUNDED)
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
                "lines": lines,
                "quote_label": f"{found.guru_name} wrote" if reason else "",
            },
            verbatim={
                "rows": [
                    ("Package", found.name),
                    *([("Paid", cents)] if found.event == "bought" else []),
                    ("For", found.service_name),
                    ("Left", f"{found.left_over} of {found.granted} sessions"),
                    ("Until", values["day"]),
                ],
                "quote": reason,
                "answers": [],
            },
        )
    )


class _SoldPackage(NamedTuple):
    amount_cents: int
    guru_name: str
    name: str
    service_name: str
    granted: int
    person_name: str
    expires_at: datetime
    zone: str


def send_package_sold_email(job: TenantJob, payment_id: UUID, jobs: JobDependencies) -> None:
    """Send the guru the email about a package that was sold, if their account has a verified address."""
    with job.transaction() as conn:
        found = fetch_one(conn, _SoldPackage, _SOLD, [job.tenant_id, payment_id])
        recipient = job_contacts(conn).guru
    if found is None or recipient is None or not recipient.is_verified:
        return
    person = found.person_name or "A neighbor"
    amount = format_cents(found.amount_cents)
    jobs.mailer.send(
        TEMPLATES.create_message(
            "booking",
            key=f"package-sold-{payment_id}",
            tenant_id=job.tenant_id,
            to=recipient,
            name=found.guru_name,
            why=WHY["guru"],
            action=Action("See who has your packages", f"{jobs.main_origin}/guru/services/packages"),
            words={
                "subject_text": f"{person} bought {found.name} for {amount}",
                "lines": [
                    f"{person} paid {amount} for {found.granted} sessions, and books them on your site.",
                    "Each session earns you its part a day after it took place. Sessions that are left at the end of"
                    " the package earn you theirs then.",
                ],
                "quote_label": "",
            },
            verbatim={
                "rows": [
                    ("Package", found.name),
                    ("For", found.service_name),
                    ("Until", format_day(last_day(found.expires_at, found.zone))),
                ],
                "quote": "",
                "answers": [],
            },
        )
    )
