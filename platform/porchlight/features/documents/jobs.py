"""Jobs of documents: emails about reviews and expirations, the hourly expiry, and deleting files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Concatenate, ParamSpec
from uuid import UUID

from porchlight.features.documents.actions import NOTIFY_REVIEW_TASK
from porchlight.features.documents.emails import (
    document_expired_email,
    document_expiring_email,
    document_reviewed_email,
)
from porchlight.features.documents.expiry import (
    NOTIFY_EXPIRED_TASK,
    PROCESS_EXPIRY_TASK,
    REMIND_TASK,
    process_document_expiry,
)
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection
from tenants.db.tasks import Job, Tasks, UserJob
from tenants.kit import clock
from tenants.kit.logs import log

P = ParamSpec("P")

TASKS = Tasks("documents")


def _send(
    job: UserJob,
    jobs: JobDependencies,
    create: Callable[Concatenate[Connection, P], EmailMessage | None],
    *args: P.args,
    **kw: P.kwargs,
) -> None:
    with job.transaction() as conn:
        message = create(conn, *args, **kw)
    if message is not None:
        jobs.mailer.send(message)


@TASKS.user_task(NOTIFY_REVIEW_TASK)
def notify_review(job: UserJob, jobs: JobDependencies, document_id: UUID) -> None:
    """Tell the owner of a document how it was reviewed."""
    _send(job, jobs, document_reviewed_email, job.user_id, document_id, jobs.main_origin)


@TASKS.user_task(REMIND_TASK)
def send_expiry_reminder(job: UserJob, jobs: JobDependencies, document_id: UUID, days: int) -> None:
    """Remind the owner of a document that it expires soon."""
    _send(job, jobs, document_expiring_email, job.user_id, document_id, days, jobs.main_origin)


@TASKS.user_task(NOTIFY_EXPIRED_TASK)
def notify_expired(job: UserJob, jobs: JobDependencies, document_id: UUID) -> None:
    """Tell the owner of a document that it expired."""
    _send(job, jobs, document_expired_email, job.user_id, document_id, jobs.main_origin)


@TASKS.system_task(PROCESS_EXPIRY_TASK, cron="3 * * * *")
async def process_expiry(job: Job) -> None:
    """Enqueue the reminders of the day, and let documents lapse."""
    reminders, expired = await asyncio.to_thread(process_document_expiry, job, clock.now().date())
    log.info("document_expiry_processed", reminders=reminders, expired=expired)


@TASKS.system_task("documents:delete_file")  # enqueued by a trigger: the file's row is gone
async def delete_file(_job: Job, jobs: JobDependencies, key: str) -> None:
    """Delete a file from the store."""
    if jobs.files is None:
        log.error("file_not_deleted")
        return
    await jobs.files.delete(key)
