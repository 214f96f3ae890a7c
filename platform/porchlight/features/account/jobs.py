"""Jobs of accounts: the last email to a user."""

from __future__ import annotations

from porchlight.features.account.emails import account_deleted_email, delete_pending_account_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, Tasks


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `account`. Their namespace is older than the feature, and stays: jobs may be in the queue."""
    account = Tasks("profiles", jobs.app_dsn)

    @account.system_task("profiles:send_account_deleted")  # app.queue_account_deleted_email enqueues it
    def send_account_deleted(job: Job, pending_email_id: str) -> None:
        with job.transaction() as conn:
            message = account_deleted_email(conn, jobs.main_origin)
        if message is not None:
            jobs.mailer.send(message)
            with job.transaction() as conn:
                delete_pending_account_email(conn)

    return account
