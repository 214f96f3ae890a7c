"""Retrying jobs of which at most one may wait."""

from __future__ import annotations

from datetime import datetime

from procrastinate import exceptions
from procrastinate.jobs import Status
from procrastinate.manager import QUEUEING_LOCK_CONSTRAINT, JobManager


class WorkerJobManager(JobManager):
    """The queue of a worker. A retried job gives way to one that waits with the same queueing lock.

    procrastinate raises UniqueViolation for it: the job would stay in the running state, and in
    `maintenance:requeue_stalled` it would stop the jobs behind it.
    """

    async def retry_job_by_id_async(
        self,
        job_id: int,
        retry_at: datetime,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Let a failed or stalled job wait for its next run, or end it as aborted if its double waits already."""
        try:
            await super().retry_job_by_id_async(job_id, retry_at, priority, queue, lock)
        except exceptions.UniqueViolation as error:
            if error.constraint_name != QUEUEING_LOCK_CONSTRAINT:
                raise
            await self.finish_job_by_id_async(job_id, Status.ABORTED, delete_job=False)
