"""Jobs of search, without the indexer, which has its own blueprint."""

from __future__ import annotations

import asyncio

from porchlight.features.search.alerts import SEND_ALERTS_TASK, new_alerts
from porchlight.features.search.emails import search_alert_email
from porchlight.job_dependencies import JobDependencies
from tenants.db.tasks import Job, Tasks
from tenants.kit.logs import log

TASKS = Tasks("search")


@TASKS.system_task(SEND_ALERTS_TASK, cron="*/10 * * * *")
async def send_alerts(job: Job, jobs: JobDependencies) -> None:
    """Send an email for each saved search with new results."""
    async for alert in new_alerts(job, jobs.geocoder, jobs.main_origin):
        hits = [(hit.title, hit.who) for hit in alert.hits]
        message = search_alert_email(
            alert.key, alert.to, alert.name, alert.words, hits, alert.opt_out, jobs.main_origin
        )
        try:
            await asyncio.to_thread(jobs.mailer.send, message)
        except OSError as error:
            # The results are not sent again: they are on the search page. All others get theirs.
            log.warning("search_alert_failed", error=type(error).__name__)
