"""Jobs of the contact form.

They work as the service role: messages belong to no user, and requests cannot read them.
"""

from __future__ import annotations

from uuid import UUID

from porchlight.features.contact.emails import (
    SEND_DIGEST_TASK,
    contact_digest_email,
    contact_message_email,
    finish_digest,
    group_message,
)
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import ServiceJob, Tasks

TASKS = Tasks("contact")


@TASKS.service_task("contact:notify_staff")  # app.add_contact_message enqueues it
def notify_staff(job: ServiceJob, jobs: JobDependencies, message_id: UUID) -> None:
    """Send a message to the staff, unless it waits for a digest."""
    with job.transaction() as conn:
        is_grouped = group_message(conn, message_id)
        message = None if is_grouped else contact_message_email(conn, message_id, jobs.staff_address)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.service_task(SEND_DIGEST_TASK)
def send_digest(job: ServiceJob, jobs: JobDependencies) -> None:
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
