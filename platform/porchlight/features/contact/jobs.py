"""Jobs of the contact form."""

from __future__ import annotations

from porchlight.features.contact.emails import (
    contact_digest_email,
    contact_message_email,
    finish_digest,
    group_message,
)
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, Tasks


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `contact`."""
    contact = Tasks("contact", jobs.app_dsn)

    @contact.system_task("contact:notify_staff")  # app.add_contact_message enqueues it
    def notify_staff(job: Job, message_id: str) -> None:
        with job.transaction() as conn:
            message = None if group_message(conn) else contact_message_email(conn, jobs.staff_address)
        if message is not None:
            jobs.mailer.send(message)

    @contact.system_task("contact:send_digest")  # app.group_contact_message enqueues it
    def send_digest(job: Job) -> None:
        while True:
            with job.transaction() as conn:
                digest = contact_digest_email(conn, jobs.staff_address, jobs.main_origin)
            if digest is None:
                return
            message_ids, message = digest
            jobs.mailer.send(message)
            with job.transaction() as conn:
                finish_digest(conn, message_ids)

    return contact
