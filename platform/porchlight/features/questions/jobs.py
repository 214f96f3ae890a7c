"""Job of questions: the email to the neighbor."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.questions.actions import NOTIFY_RECIPIENT_TASK
from porchlight.features.questions.emails import question_received_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Tasks, UserJob

TASKS = Tasks("questions")


@TASKS.user_task(NOTIFY_RECIPIENT_TASK)
def notify_recipient(job: UserJob, jobs: JobDependencies, question_id: UUID) -> None:
    """Send a question to the user it was asked."""
    with job.transaction() as conn:
        message = question_received_email(conn, job.user_id, question_id, jobs.main_origin)
    if message is not None:
        jobs.mailer.send(message)
