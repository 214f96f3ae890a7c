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

TASKS = Tasks("contact")


@TASKS.system_task("contact:notify_staff")  # app.add_contact_message enqueues it
def notify_staff(job: Job, jobs: JobDependencies, message_id: str) -> None:
    """Send a message to the staff, unless it waits for a digest."""
    with job.transaction() as conn:
        message = None if group_message(conn) else contact_message_email(conn, jobs.staff_address)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.system_task("contact:send_digest")  # app.group_contact_message enqueues it
def send_digest(job: Job, jobs: JobDependencies) -> None:
    """Send the staff the messages that wait, in as few emails as possible."""
    while True:
        with job.transaction() as conn:
            digest = contact_digest_email(conn, jobs.staff_address, jobs.main_origin)
        if digest is None:
            return
        message_ids, message = digest
        jobs.mailer.send(message)
        with job.transaction() as conn:
            finish_digest(conn, message_ids)
