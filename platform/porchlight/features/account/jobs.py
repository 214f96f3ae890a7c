"""Jobs of accounts: the last email to a user."""

from __future__ import annotations

from porchlight.features.account.emails import account_deleted_email, delete_pending_account_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, Tasks

# Their namespace is older than the feature, and stays: jobs may be in the queue.
TASKS = Tasks("profiles")


@TASKS.system_task("profiles:send_account_deleted")  # app.queue_account_deleted_email enqueues it
def send_account_deleted(job: Job, jobs: JobDependencies, pending_email_id: str) -> None:
    """Send the last email to a deleted account, and forget its address."""
    with job.transaction() as conn:
        message = account_deleted_email(conn, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
        with job.transaction() as conn:
            delete_pending_account_email(conn)
