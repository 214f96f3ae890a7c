"""Jobs of embeddings."""

from __future__ import annotations

import asyncio

from porchlight.embeddings.relations_job import RELATE_PHRASES_TASK, relate_phrases
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import ServiceJob, Tasks
from tenants.kit.logs import log

TASKS = Tasks("embeddings")
_MODEL = asyncio.Lock()  # it reads one batch at a time


@TASKS.service_task(RELATE_PHRASES_TASK)  # app.get_or_create_phrase enqueues it
async def relate(job: ServiceJob, jobs: JobDependencies) -> None:
    """Relate all pending phrases to the phrases in use."""
    async with _MODEL:
        phrases = await asyncio.to_thread(relate_phrases, job, jobs.embedder)
    if phrases:
        log.info("phrases_related", phrases=phrases)
