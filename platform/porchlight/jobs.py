"""The worker: procrastinate on the same Postgres, in a schema of its own, as the overseer.

Jobs may run twice (a worker can die after the work and before its mark): each carries a key by which the second run
changes nothing.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy

from porchlight.logs import log
from porchlight.notices.leads import letter_about_lead
from porchlight.notices.mail import Mailer
from sites.leads.actions import NOTIFY_TASK
from tenants.kit import clock
from tenants.kit.jobs import ATTEMPTS, SCHEMA

POLL = 1.0  # seconds between looks into the queue
KEEP_DONE = timedelta(days=7)
RETRY = RetryStrategy(max_attempts=ATTEMPTS, exponential_wait=2)


def build(overseer_dsn: str, mailer: Mailer) -> App:
    """The job app with every task."""
    connector = PsycopgConnector(
        conninfo=overseer_dsn,
        kwargs={"options": f"-c search_path={SCHEMA}", "application_name": "porchlight-worker"},
        min_size=1,
        max_size=4,
    )
    app = App(connector=connector)

    @app.task(name=NOTIFY_TASK, retry=RETRY)
    async def tell_guru_of_lead(tenant_id: str, lead_id: str) -> None:
        await asyncio.to_thread(_tell, tenant_id, lead_id)

    def _tell(tenant_id: str, lead_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_about_lead(conn, UUID(tenant_id), UUID(lead_id))
        if letter is not None:
            mailer.send(letter)

    @app.periodic(cron="7 * * * *")
    @app.task(name="sweep", pass_context=True, queueing_lock="sweep")
    async def sweep(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(sweep_now, overseer_dsn)

    return app


def sweep_now(overseer_dsn: str) -> None:
    """Throw away what has had its day: visitors' marks and salts, jobs done long ago."""
    now = clock.now()
    with psycopg.connect(overseer_dsn) as conn:
        marks = conn.execute("DELETE FROM view_marks WHERE day < %s", [now.date()]).rowcount
        conn.execute("DELETE FROM daily_salts WHERE day < %s", [now.date()])
        conn.execute(
            "DELETE FROM jobs.procrastinate_jobs j WHERE j.status IN ('succeeded', 'cancelled', 'aborted')"
            " AND NOT EXISTS (SELECT FROM jobs.procrastinate_events e WHERE e.job_id = j.id AND e.at > %s)",
            [now - KEEP_DONE],
        )
    log.info("swept", marks=marks)


async def work(overseer_dsn: str, mailer: Mailer) -> None:
    """Run jobs until SIGINT or SIGTERM; a running job is finished first."""
    app = build(overseer_dsn, mailer)
    async with app.open_async():
        await app.run_worker_async(
            concurrency=4,
            fetch_job_polling_interval=POLL,
            listen_notify=False,
            shutdown_graceful_timeout=20,
            install_signal_handlers=True,
        )
