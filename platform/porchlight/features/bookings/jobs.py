"""Jobs of bookings: emails of bookings and waitlists, and the guru's agenda. `deadlines` has those of all tenants."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from porchlight.features.bookings.disputes import emails as dispute_emails
from porchlight.features.bookings.emails import collecting, sending
from porchlight.features.bookings.emails.texts import Side
from porchlight.features.bookings.packages import emails as package_emails
from porchlight.features.bookings.participants import emails as link_emails
from porchlight.features.bookings.refunds import emails as refund_emails
from porchlight.features.bookings.tips import emails as tip_emails
from porchlight.features.bookings.waitlist import emails as waitlist_emails
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, TenantJob

TASKS = Tasks("bookings")


@TASKS.tenant_task("bookings:send_emails")  # app.apply_bookings enqueues it
def send_emails(job: TenantJob, jobs: JobDependencies, booking_id: UUID) -> None:
    """Send the emails of a booking that are due."""
    sending.send_booking_emails(job, booking_id, jobs)


@TASKS.tenant_task("bookings:send_changes")  # deadlines enqueues it
def send_changes(job: TenantJob, jobs: JobDependencies, side: Side, person_id: str = "") -> None:
    """Send the collected changes to the guru or a person."""
    collecting.send_changes(job, side, UUID(person_id) if person_id else None, jobs)


@TASKS.tenant_task("bookings:send_links")  # deadlines enqueues it
def send_links(job: TenantJob, jobs: JobDependencies, booking_id: UUID) -> None:
    """Send the links of a booking to its participants."""
    link_emails.send_links(job, booking_id, jobs)


@TASKS.tenant_task("bookings:send_waitlist_canceled")  # app.apply_bookings enqueues it
def send_waitlist_canceled(job: TenantJob, jobs: JobDependencies, appointment_id: UUID, number: int) -> None:
    """Tell the people who wait for a session that it was canceled."""
    waitlist_emails.send_canceled(job, appointment_id, number, jobs)


@TASKS.tenant_task("bookings:send_package_email")  # app.apply_bookings enqueues it
def send_package_email(job: TenantJob, jobs: JobDependencies, grant_id: UUID, number: int) -> None:
    """Tell a person what happened to their package."""
    package_emails.send_package_email(job, grant_id, number, jobs)


@TASKS.tenant_task("bookings:send_package_sold_email")  # the rules of settlement enqueue it
def send_package_sold_email(job: TenantJob, jobs: JobDependencies, payment_id: UUID) -> None:
    """Tell the guru that a person bought a package."""
    package_emails.send_package_sold_email(job, payment_id, jobs)


@TASKS.tenant_task("bookings:send_refund_emails")  # app.apply_bookings enqueues it
def send_refund_emails(job: TenantJob, jobs: JobDependencies, refund_id: UUID) -> None:
    """Tell both sides that a guru returned a part of a payment."""
    refund_emails.send_refund_emails(job, refund_id, jobs)


@TASKS.tenant_task("bookings:send_dispute_email")  # payments.settlement.disputes enqueues it
def send_dispute_email(
    job: TenantJob, jobs: JobDependencies, dispute_id: UUID, event: dispute_emails.DisputeEvent
) -> None:
    """Tell the guru about a dispute that is new or decided."""
    dispute_emails.send_dispute_email(job, dispute_id, event, jobs)


@TASKS.tenant_task("bookings:send_tip_email")  # the rules of settlement enqueue it
def send_tip_email(job: TenantJob, jobs: JobDependencies, payment_id: UUID) -> None:
    """Tell the guru that a person tipped them."""
    tip_emails.send_tip_email(job, payment_id, jobs)


@TASKS.tenant_task("bookings:send_agenda")  # deadlines enqueues it
def send_agenda(job: TenantJob, jobs: JobDependencies, day: str) -> None:
    """Send the guru the sessions of a day."""
    sending.send_agenda(job, date.fromisoformat(day), jobs)
