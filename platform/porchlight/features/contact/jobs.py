"""Jobs of the contact form."""

from __future__ import annotations

from porchlight.dependencies import JobDependencies
from porchlight.features.contact.emails import contact_message_email
from tenants.db.tasks import Job, Tasks


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `contact`."""
    contact = Tasks("contact", jobs.app_dsn)

    @contact.system_task("contact:notify_staff")  # app.create_contact_message enqueues it
    def notify_staff(job: Job, message_id: str) -> None:
        with job.transaction() as conn:
            message = contact_message_email(conn, jobs.staff_address)
        if message is not None:
            jobs.mailer.send(message)

    return contact
