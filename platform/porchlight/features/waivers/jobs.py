"""Job of waivers: the email with the link to a receipt."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.waivers.emails import SEND_RECEIPT_TASK, receipt_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, UserJob

TASKS = Tasks("waivers")


@TASKS.user_task(SEND_RECEIPT_TASK)
def send_receipt(job: UserJob, jobs: JobDependencies, waiver_id: UUID) -> None:
    """Send the user the receipt of a waiver."""
    with job.transaction() as conn:
        message = receipt_email(conn, job.user_id, waiver_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
