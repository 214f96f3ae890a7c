"""Jobs of bookings: emails of bookings and waitlists, and the guru's agenda. `deadlines` has those of all tenants."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from porchlight.features.bookings.emails import collecting, sending
from porchlight.features.bookings.emails.texts import Side
from porchlight.features.bookings.participants import emails as link_emails
from porchlight.features.bookings.waitlist import emails as waitlist_emails
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, TenantJob


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `bookings` that work on one tenant."""
    bookings = Tasks("bookings", jobs.app_dsn)

    @bookings.tenant_task("bookings:send_emails")  # app.apply_bookings enqueues it
    def send_emails(job: TenantJob, booking_id: UUID) -> None:
        sending.send_booking_emails(job, booking_id, jobs)

    @bookings.tenant_task("bookings:send_changes")  # deadlines enqueues it
    def send_changes(job: TenantJob, side: Side, person_id: str = "") -> None:
        collecting.send_changes(job, side, UUID(person_id) if person_id else None, jobs)

    @bookings.tenant_task("bookings:send_links")  # deadlines enqueues it
    def send_links(job: TenantJob, booking_id: UUID) -> None:
        link_emails.send_links(job, booking_id, jobs)

    @bookings.tenant_task("bookings:send_waitlist_canceled")  # app.apply_bookings enqueues it
    def send_waitlist_canceled(job: TenantJob, appointment_id: UUID, number: int) -> None:
        waitlist_emails.send_canceled(job, appointment_id, number, jobs)

    @bookings.tenant_task("bookings:send_agenda")  # deadlines enqueues it
    def send_agenda(job: TenantJob, day: str) -> None:
        sending.send_agenda(job, date.fromisoformat(day), jobs)

    return bookings
