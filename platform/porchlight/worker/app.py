"""The worker process: procrastinate on the same Postgres, in its own schema, as the service role.

A job may run twice, because a worker can die after the work and before marking the job as done. Each job has a key, so
that a second run changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy

from porchlight.auth import email_sync
from porchlight.auth.actions import DELETE_IDENTITY_TASK, REVOKE_TOKENS_TASK
from porchlight.auth.emulator_emails import send_emulator_emails
from porchlight.auth.suspension import SYNC_STATUS_TASK
from porchlight.emails.sender import Mailer
from porchlight.features.console.leads.emails import lead_received_email, lead_reply_email, mark_reply_sent
from porchlight.features.contact.actions import MAIL_TASK
from porchlight.features.contact.emails import contact_message_email
from porchlight.features.documents.expiry import delete_unused_uploads
from porchlight.features.onboarding.jobs import ERASE_GURU_TASK, RELIST_TASK, erase_guru, relist
from porchlight.features.profiles.actions import ACCOUNT_DELETED_TASK, WELCOME_TASK
from porchlight.features.profiles.emails import account_deleted_email, delete_pending_account_email, welcome_email
from porchlight.geo.gazetteer import Gazetteer
from porchlight.ports import Embedder, FileStore, Geocoder, Identity, IdentityOutage, Payouts
from porchlight.settings.environment import Settings
from porchlight.worker import angels_tasks, discovery_tasks, documents_tasks
from sites.leads.actions import NOTIFY_TASK, REPLY_TASK
from sites.previews.actions import PREVIEW_TTL as PREVIEW_LIFE
from tenants.db.jobs import JOBS_SCHEMA, MAX_ATTEMPTS, RETRY_BACKOFF_BASE, use_jobs_schema
from tenants.kit import clock
from tenants.kit.logs import log

REVIVE_TASK = "revive"
POLL_INTERVAL_SECONDS = 1.0
KEEP_DONE = timedelta(days=7)
KEEP_ERASED = timedelta(days=30)  # much longer than an ID token is valid
KEEP_MESSAGES = timedelta(days=365)
KEEP_EVENTS = timedelta(days=90)  # much longer than the payment provider retries
KEEP_ACCOUNT_EMAILS = timedelta(days=2)  # then the address is deleted, even if the email was not sent
KEEP_RESOLVED = timedelta(days=730)
_STATUS_FOR_UPDATE = "SELECT firebase_uid, status FROM users WHERE user_id = %s FOR UPDATE"
RETRY = RetryStrategy(max_attempts=MAX_ATTEMPTS, exponential_wait=RETRY_BACKOFF_BASE)


@dataclass(frozen=True, slots=True)
class JobDependencies:
    """The adapters that jobs use. None: not configured; its jobs log a warning."""

    mailer: Mailer
    staff_address: str
    identity: Identity | None
    main_origin: str  # for links in emails
    files: FileStore | None = None
    payments: Payouts | None = None
    embedder: Embedder | None = None
    geocoder: Geocoder | None = None  # None: the gazetteer


def build(service_dsn: str, dependencies: JobDependencies) -> App:
    """Create the procrastinate app with all tasks."""
    mailer = dependencies.mailer
    connector = PsycopgConnector(
        conninfo=service_dsn,
        kwargs={"options": f"-c search_path={JOBS_SCHEMA}", "application_name": "porchlight-worker"},
        min_size=1,
        max_size=4,
    )
    app = App(connector=connector)

    @app.task(name=NOTIFY_TASK, retry=RETRY)
    async def tell_guru_of_lead(tenant_id: str, lead_id: str) -> None:
        await asyncio.to_thread(_tell, tenant_id, lead_id)

    def _tell(tenant_id: str, lead_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = lead_received_email(conn, UUID(tenant_id), UUID(lead_id))
        if message is not None:
            mailer.send(message)

    @app.task(name=REPLY_TASK, retry=RETRY)
    async def send_lead_answer(tenant_id: str, answer_id: str) -> None:
        await asyncio.to_thread(_answer, UUID(tenant_id), UUID(answer_id))

    def _answer(tenant_id: UUID, answer_id: UUID) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = lead_reply_email(conn, tenant_id, answer_id)
            if message is not None:
                mailer.send(message)
                mark_reply_sent(conn, tenant_id, answer_id)

    @app.task(name=MAIL_TASK, retry=RETRY)
    async def tell_staff_of_message(tenant_id: str | None, message_id: str) -> None:
        await asyncio.to_thread(_pass_on, message_id)

    def _pass_on(message_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = contact_message_email(conn, UUID(message_id), dependencies.staff_address)
        if message is not None:
            mailer.send(message)

    @app.task(name=DELETE_IDENTITY_TASK, retry=RETRY)
    async def erase_identity(tenant_id: str | None, uid: str) -> None:
        if dependencies.identity is not None:
            await dependencies.identity.delete(uid)

    @app.task(name=REVOKE_TOKENS_TASK, retry=RETRY)
    async def revoke_identity(tenant_id: str | None, uid: str) -> None:
        if dependencies.identity is not None:
            await dependencies.identity.revoke(uid)

    @app.task(name=WELCOME_TASK, retry=RETRY)
    async def welcome(tenant_id: str | None, user_id: str) -> None:
        await asyncio.to_thread(_welcome, user_id)

    def _welcome(user_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = welcome_email(conn, UUID(user_id), dependencies.main_origin)
        if message is not None:
            mailer.send(message)

    @app.task(name=ACCOUNT_DELETED_TASK, retry=RETRY)
    async def farewell(tenant_id: str | None, farewell_id: str) -> None:
        await asyncio.to_thread(_say_farewell, farewell_id)

    def _say_farewell(farewell_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = account_deleted_email(conn, UUID(farewell_id))
            if message is not None:
                mailer.send(message)
                delete_pending_account_email(conn, UUID(farewell_id))

    @app.task(name=SYNC_STATUS_TASK, retry=RETRY)
    async def sync_identity_status(tenant_id: str | None, user_id: str) -> None:
        # Sends the current status, not the one at enqueuing. The row lock keeps two jobs in order.
        if dependencies.identity is None:
            return
        async with await psycopg.AsyncConnection.connect(service_dsn) as conn:
            row = await (await conn.execute(_STATUS_FOR_UPDATE, [UUID(user_id)])).fetchone()
            if row is not None and row[1] != "erased":
                await dependencies.identity.disable(row[0], row[1] == "suspended")

    @app.periodic(cron="* * * * *")
    @app.task(name="follow_addresses", pass_context=True, queueing_lock="follow_addresses")
    async def sync_emails(_context: JobContext, timestamp: int) -> None:
        uids = await asyncio.to_thread(email_sync.pending_email_changes, service_dsn)
        if not uids or dependencies.identity is None:
            return
        try:
            addresses = await dependencies.identity.addresses(uids)
        except IdentityOutage as outage:
            log.warning("addresses_not_followed", kind=str(outage))  # the next minute asks again
            return
        await asyncio.to_thread(email_sync.sync_emails, service_dsn, addresses)

    @app.task(name=RELIST_TASK, retry=RETRY)
    async def documents_changed(tenant_id: str | None, user_id: str) -> None:
        await asyncio.to_thread(_relist, user_id)

    def _relist(user_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            relist(conn, UUID(user_id))

    @app.task(name=ERASE_GURU_TASK, retry=RETRY)
    async def guru_goes(tenant_id: str | None, guru_id: str) -> None:
        await asyncio.to_thread(_erase_guru, guru_id)

    def _erase_guru(guru_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            erase_guru(conn, UUID(guru_id))

    angels_tasks.add_tasks(app, service_dsn, mailer, dependencies.main_origin, RETRY)
    documents = documents_tasks.DocumentsDependencies(
        mailer, dependencies.main_origin, dependencies.files, dependencies.payments
    )
    documents_tasks.add_tasks(app, service_dsn, documents, RETRY)
    geocoder = dependencies.geocoder or Gazetteer()
    discovery = discovery_tasks.DiscoveryDependencies(mailer, dependencies.main_origin, dependencies.embedder, geocoder)
    discovery_tasks.add_tasks(app, service_dsn, discovery, RETRY)

    @app.periodic(cron="7 * * * *")
    @app.task(name="sweep", pass_context=True, queueing_lock="sweep")
    async def sweep(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(sweep_now, service_dsn)

    @app.periodic(cron="* * * * *")
    @app.task(name=REVIVE_TASK, pass_context=True, queueing_lock=REVIVE_TASK)
    async def revive(_context: JobContext, timestamp: int) -> None:
        # A killed worker leaves its jobs in the running state.
        for job in await app.job_manager.get_stalled_jobs():
            await app.job_manager.retry_job(job)

    return app


def sweep_now(service_dsn: str) -> None:
    """Throw away what has had its day: visitors' marks and salts, sessions, old messages, jobs done long ago."""
    now = clock.now()
    with psycopg.connect(service_dsn) as conn:
        marks = conn.execute("DELETE FROM view_fingerprints WHERE day < %s", [now.date()]).rowcount
        conn.execute("DELETE FROM daily_salts WHERE day < %s", [now.date()])
        conn.execute("DELETE FROM sessions WHERE expires_at < %s", [now])
        conn.execute("DELETE FROM users WHERE status = 'erased' AND updated_at < %s", [now - KEEP_ERASED])
        conn.execute("DELETE FROM contact_messages WHERE created_at < %s", [now - KEEP_MESSAGES])
        conn.execute("DELETE FROM reports WHERE resolved_at < %s", [now - KEEP_RESOLVED])
        conn.execute("DELETE FROM payment_events WHERE received_at < %s", [now - KEEP_EVENTS])
        delete_unused_uploads(conn)
        conn.execute("DELETE FROM pending_account_emails WHERE created_at < %s", [now - KEEP_ACCOUNT_EMAILS])
        conn.execute("DELETE FROM site_previews WHERE created_at < %s", [now - PREVIEW_LIFE])
        use_jobs_schema(conn)
        conn.execute(
            "DELETE FROM jobs.procrastinate_jobs j WHERE j.status IN ('succeeded', 'cancelled', 'aborted')"
            " AND NOT EXISTS (SELECT FROM jobs.procrastinate_events e WHERE e.job_id = j.id AND e.at > %s)",
            [now - KEEP_DONE],
        )
    log.info("swept", marks=marks)


async def work(service_dsn: str, dependencies: JobDependencies, settings: Settings) -> None:
    """Run jobs until SIGINT or SIGTERM; a running job is finished first."""
    app = build(service_dsn, dependencies)
    await asyncio.to_thread(discovery_tasks.requeue_outdated_phrases, service_dsn, dependencies.embedder)
    async with app.open_async(), _emulators_mail(dependencies.mailer, settings):
        await app.run_worker_async(
            concurrency=4,
            fetch_job_polling_interval=POLL_INTERVAL_SECONDS,
            listen_notify=False,
            shutdown_graceful_timeout=20,
            install_signal_handlers=True,
        )


@contextlib.asynccontextmanager
async def _emulators_mail(mailer: Mailer, settings: Settings) -> AsyncIterator[None]:
    """Beside the jobs, mail what the Auth emulator would have mailed, if there is one."""
    if settings.emulator_url is None:
        yield
        return
    delivery = send_emulator_emails(settings.emulator_url, settings.firebase_project_id, settings.main_origin, mailer)
    beside = asyncio.create_task(delivery)
    try:
        yield
    finally:
        beside.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await beside
