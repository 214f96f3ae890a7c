"""Jobs of profiles: the first and the last email to a user."""

from __future__ import annotations

from porchlight.features.profiles.actions import WELCOME_TASK
from porchlight.features.profiles.emails import account_deleted_email, delete_pending_account_email, welcome_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, Tasks, UserJob


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `profiles`."""
    profiles = Tasks("profiles", jobs.app_dsn)

    @profiles.user_task(WELCOME_TASK)
    def send_welcome(job: UserJob) -> None:
        with job.transaction() as conn:
            message = welcome_email(conn, job.user_id, jobs.main_origin)
        if message is not None:
            jobs.mailer.send(message)

    @profiles.system_task("profiles:send_account_deleted")  # app.queue_account_deleted_email enqueues it
    def send_account_deleted(job: Job, pending_email_id: str) -> None:
        with job.transaction() as conn:
            message = account_deleted_email(conn, jobs.main_origin)
        if message is not None:
            jobs.mailer.send(message)
            with job.transaction() as conn:
                delete_pending_account_email(conn)

    return profiles
