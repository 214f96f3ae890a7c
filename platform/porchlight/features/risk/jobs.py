"""Jobs of risk: the email about a review that a guru asked for."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.risk.admin_actions import TELL_GURU_TASK
from porchlight.features.risk.emails import risk_reviewed_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, UserJob

TASKS = Tasks("risk")


@TASKS.user_task(TELL_GURU_TASK)
def tell_guru(job: UserJob, jobs: JobDependencies, request_id: UUID) -> None:
    """Tell a guru how staff rated the service."""
    with job.transaction() as conn:
        message = risk_reviewed_email(conn, job.user_id, request_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
