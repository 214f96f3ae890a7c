"""Jobs of embeddings."""

from __future__ import annotations

import asyncio

from porchlight.embeddings.relations_job import RELATE_PHRASES_TASK, relate_phrases
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import ServiceJob, Tasks
from tenants.kit.logs import log


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `embeddings`."""
    embeddings = Tasks("embeddings", jobs.app_dsn, jobs.service_dsn)
    lock = asyncio.Lock()  # the model reads one batch at a time

    @embeddings.service_task(RELATE_PHRASES_TASK)  # app.get_or_create_phrase enqueues it
    async def relate(job: ServiceJob) -> None:
        """Relate all pending phrases to the phrases in use."""
        async with lock:
            phrases = await asyncio.to_thread(relate_phrases, job, jobs.embedder)
        if phrases:
            log.info("phrases_related", phrases=phrases)

    return embeddings
