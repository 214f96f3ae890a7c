"""Jobs of profiles: the first email to a user."""

from __future__ import annotations

from porchlight.features.profiles.actions import WELCOME_TASK
from porchlight.features.profiles.emails import welcome_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, UserJob

TASKS = Tasks("profiles")


@TASKS.user_task(WELCOME_TASK)
def send_welcome(job: UserJob, jobs: JobDependencies) -> None:
    """Send the welcome to a user whose address is verified."""
    with job.transaction() as conn:
        message = welcome_email(conn, job.user_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
