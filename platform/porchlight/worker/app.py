"""The worker process: procrastinate on the same Postgres, in its own schema, as the service role.

The tasks themselves run as the app role (tenants.db.tasks). A job may run twice, because a worker can die after the
work and before marking the job as done. Each job has a key, so that a second run changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from collections.abc import AsyncIterator
from dataclasses import replace

from procrastinate import App, PsycopgConnector

from porchlight.auth.emulator_emails import send_emulator_emails
from porchlight.features.bookings import deadlines, zone_changes
from porchlight.features.bookings.payments import jobs as payment_jobs
from porchlight.features.domains import recheck_jobs
from porchlight.features.domains.actions import DomainChecker
from porchlight.features.notifications.mailer import NotifyingMailer
from porchlight.features.search import indexer
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import Mailer
from porchlight.registry import FEATURES
from porchlight.settings.environment import Settings
from porchlight.settlement.jobs import NAMESPACE as SETTLEMENT
from porchlight.settlement.jobs import settlement_blueprint
from porchlight.settlement.rules import load_rules
from porchlight.worker import guru_facts, maintenance
from porchlight.worker.job_manager import WorkerJobManager
from tenants.db.job_connections import kept_connections
from tenants.db.jobs import JOBS_SCHEMA
from tenants.db.tasks import RoleDsns, Tasks
from tenants.http.feature import Feature
from tenants.kit import timeouts

POLL_INTERVAL_SECONDS = 1.0


def build(service_dsn: str, jobs: JobDependencies, features: tuple[Feature, ...] = FEATURES) -> App:
    """Create the procrastinate app with the tasks of all features."""
    connector = PsycopgConnector(
        conninfo=service_dsn,
        kwargs={"options": f"-c search_path={JOBS_SCHEMA}", "application_name": "porchlight-worker"},
        min_size=1,
        max_size=4,
    )
    app = App(connector=connector)
    app.job_manager = WorkerJobManager(connector)
    dsns = RoleDsns(jobs.app_dsn, service_dsn)
    # Here and nowhere else, so that no email to an account leaves without its notification.
    jobs = replace(jobs, mailer=NotifyingMailer(jobs.mailer, jobs.app_dsn, jobs.main_origin))
    for feature in features:
        if feature.jobs:
            tasks: Tasks = importlib.import_module(feature.jobs).TASKS
            app.add_tasks_from(tasks.blueprint(dsns, jobs), namespace=tasks.namespace)
    app.add_tasks_from(maintenance.maintenance_blueprint(app, service_dsn), namespace=maintenance.NAMESPACE)
    app.add_tasks_from(guru_facts.guru_facts_blueprint(service_dsn), namespace=guru_facts.NAMESPACE)
    app.add_tasks_from(settlement_blueprint(service_dsn, jobs.stripe, load_rules(features)), namespace=SETTLEMENT)
    app.add_tasks_from(deadlines.deadlines_blueprint(service_dsn), namespace=deadlines.NAMESPACE)
    app.add_tasks_from(payment_jobs.payments_blueprint(service_dsn), namespace=payment_jobs.NAMESPACE)
    app.add_tasks_from(zone_changes.zone_changes_blueprint(service_dsn), namespace=deadlines.NAMESPACE)
    if jobs.resolver is not None and jobs.certificates is not None:
        checker = DomainChecker(jobs.resolver, jobs.certificates, jobs.base_host)
        app.add_tasks_from(recheck_jobs.recheck_blueprint(service_dsn, checker), namespace=recheck_jobs.NAMESPACE)
    app.add_tasks_from(indexer.indexer_blueprint(service_dsn, jobs.geocoder), namespace=indexer.NAMESPACE)
    return app


async def work(service_dsn: str, jobs: JobDependencies, settings: Settings) -> None:
    """Run jobs until SIGINT or SIGTERM; a running job is finished first."""
    app = build(service_dsn, jobs)
    await asyncio.to_thread(maintenance.requeue_outdated_phrases, service_dsn, jobs.embedder)
    with kept_connections(jobs.app_dsn, service_dsn):
        await _run(app, jobs, settings)


async def _run(app: App, jobs: JobDependencies, settings: Settings) -> None:
    async with app.open_async(), _emulator_emails(jobs.mailer, settings):
        await app.run_worker_async(
            concurrency=4,
            fetch_job_polling_interval=POLL_INTERVAL_SECONDS,
            listen_notify=False,
            shutdown_graceful_timeout=timeouts.current.worker_stop_seconds,
            install_signal_handlers=True,
        )


@contextlib.asynccontextmanager
async def _emulator_emails(mailer: Mailer, settings: Settings) -> AsyncIterator[None]:
    """Beside the jobs, send what the identity provider would send, if it is the Auth emulator."""
    if settings.emulator_url is None:
        yield
        return
    delivery = send_emulator_emails(settings.emulator_url, settings.firebase_project_id, settings.main_origin, mailer)
    task = asyncio.create_task(delivery)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
