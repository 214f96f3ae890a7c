"""Jobs of accounts: the last email to a user."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.account.emails import account_deleted_email, delete_pending_account_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import ServiceJob, Tasks

# Their namespace is older than the feature, and stays: jobs may be in the queue.
TASKS = Tasks("profiles")


# As the service role: no request and no other job may read the addresses of deleted accounts.
@TASKS.service_task("profiles:send_account_deleted")  # app.queue_account_deleted_email enqueues it
def send_account_deleted(job: ServiceJob, jobs: JobDependencies, pending_email_id: UUID) -> None:
    """Send the last email to a deleted account, and forget its address."""
    with job.transaction() as conn:
        message = account_deleted_email(conn, pending_email_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
        with job.transaction() as conn:
            delete_pending_account_email(conn, pending_email_id)
