"""Retries of jobs with a queueing lock, of which at most one may wait."""

from __future__ import annotations

from datetime import datetime

from procrastinate import exceptions
from procrastinate.jobs import Status
from procrastinate.manager import QUEUEING_LOCK_CONSTRAINT, JobManager


class WorkerJobManager(JobManager):
    """The job manager of a worker. It ends a retried job if a duplicate with its queueing lock already waits.

    procrastinate raises UniqueViolation instead. Then the job would stay in the running state, and
    `maintenance:requeue_stalled` would skip the jobs behind it.
    """

    async def retry_job_by_id_async(
        self,
        job_id: int,
        retry_at: datetime,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Queue a failed or stalled job again, or end it as aborted if a duplicate already waits."""
        try:
            await super().retry_job_by_id_async(job_id, retry_at, priority, queue, lock)
        except exceptions.UniqueViolation as error:
            if error.constraint_name != QUEUEING_LOCK_CONSTRAINT:
                raise
            await self.finish_job_by_id_async(job_id, Status.ABORTED, delete_job=False)
