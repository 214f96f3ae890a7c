"""The worker: procrastinate on the same Postgres, in a schema of its own, as the overseer.

Jobs may run twice (a worker can die after the work and before its mark): each carries a key by which the second run
changes nothing.
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

from porchlight import finding, helping, paperwork
from porchlight.accounts import following
from porchlight.accounts.actions import ERASE_TASK, FAREWELL_TASK, REVOKE_TASK, WELCOME_TASK
from porchlight.admin.actions import STANDING_TASK
from porchlight.contact.actions import MAIL_TASK
from porchlight.documents.expiry import forget_unused_uploads
from porchlight.logs import log
from porchlight.notices.accounts import forget_farewell, letter_of_farewell, letter_of_welcome
from porchlight.notices.contact import letter_about_message
from porchlight.notices.emulator_mail import deliver_codes
from porchlight.notices.lead_answers import letter_of_answer, mark_sent
from porchlight.notices.leads import letter_about_lead
from porchlight.notices.mail import Mailer
from porchlight.onboarding.jobs import ERASE_GURU_TASK, RELIST_TASK, erase_guru, relist
from porchlight.places.gazetteer import Gazetteer
from porchlight.ports import Embedder, FileStore, Geocoder, Identity, IdentityOutage, Payouts
from porchlight.settings import Settings
from sites.leads.actions import NOTIFY_TASK
from sites.leads.answers import ANSWER_TASK
from sites.previews.actions import LIFE as PREVIEW_LIFE
from tenants.kit import clock
from tenants.kit.jobs import ATTEMPTS, PATIENCE, SCHEMA, see_queue

REVIVE_TASK = "revive"
POLL = 1.0  # seconds between looks into the queue
KEEP_DONE = timedelta(days=7)
KEEP_ERASED = timedelta(days=30)  # by far longer than any ID token lives
KEEP_MESSAGES = timedelta(days=365)
KEEP_EVENTS = timedelta(days=90)  # by far longer than the payment provider tries again
KEEP_FAREWELLS = timedelta(days=2)  # patience with a mail server; then the address goes untold
KEEP_RESOLVED = timedelta(days=730)
_STANDING = "SELECT firebase_uid, status FROM users WHERE user_id = %s FOR UPDATE"
RETRY = RetryStrategy(max_attempts=ATTEMPTS, exponential_wait=PATIENCE)


@dataclass(frozen=True, slots=True)
class Helpers:
    """Whom jobs need besides the database. None: there is no such part, and its jobs say so in the log."""

    mailer: Mailer
    staff_address: str
    identity: Identity | None
    main_origin: str  # for links in mails
    files: FileStore | None = None
    payments: Payouts | None = None
    embedder: Embedder | None = None
    geocoder: Geocoder | None = None  # None: the gazetteer


def build(overseer_dsn: str, helpers: Helpers) -> App:
    """The job app with every task."""
    mailer = helpers.mailer
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

    @app.task(name=ANSWER_TASK, retry=RETRY)
    async def send_lead_answer(tenant_id: str, answer_id: str) -> None:
        await asyncio.to_thread(_answer, UUID(tenant_id), UUID(answer_id))

    def _answer(tenant_id: UUID, answer_id: UUID) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_of_answer(conn, tenant_id, answer_id)
            if letter is not None:
                mailer.send(letter)
                mark_sent(conn, tenant_id, answer_id)

    @app.task(name=MAIL_TASK, retry=RETRY)
    async def tell_staff_of_message(tenant_id: str | None, message_id: str) -> None:
        await asyncio.to_thread(_pass_on, message_id)

    def _pass_on(message_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_about_message(conn, UUID(message_id), helpers.staff_address)
        if letter is not None:
            mailer.send(letter)

    @app.task(name=ERASE_TASK, retry=RETRY)
    async def erase_identity(tenant_id: str | None, uid: str) -> None:
        if helpers.identity is not None:
            await helpers.identity.delete(uid)

    @app.task(name=REVOKE_TASK, retry=RETRY)
    async def revoke_identity(tenant_id: str | None, uid: str) -> None:
        if helpers.identity is not None:
            await helpers.identity.revoke(uid)

    @app.task(name=WELCOME_TASK, retry=RETRY)
    async def welcome(tenant_id: str | None, user_id: str) -> None:
        await asyncio.to_thread(_welcome, user_id)

    def _welcome(user_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_of_welcome(conn, UUID(user_id), helpers.main_origin)
        if letter is not None:
            mailer.send(letter)

    @app.task(name=FAREWELL_TASK, retry=RETRY)
    async def farewell(tenant_id: str | None, farewell_id: str) -> None:
        await asyncio.to_thread(_say_farewell, farewell_id)

    def _say_farewell(farewell_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_of_farewell(conn, UUID(farewell_id))
            if letter is not None:
                mailer.send(letter)
                forget_farewell(conn, UUID(farewell_id))

    @app.task(name=STANDING_TASK, retry=RETRY)
    async def tell_identity_standing(tenant_id: str | None, user_id: str) -> None:
        # What holds now is told, whichever act asked for it; the row's lock keeps two tellings in order.
        if helpers.identity is None:
            return
        async with await psycopg.AsyncConnection.connect(overseer_dsn) as conn:
            found = await (await conn.execute(_STANDING, [UUID(user_id)])).fetchone()
            if found is not None and found[1] != "erased":
                await helpers.identity.disable(found[0], found[1] == "suspended")

    @app.periodic(cron="* * * * *")
    @app.task(name="follow_addresses", pass_context=True, queueing_lock="follow_addresses")
    async def follow_addresses(_context: JobContext, timestamp: int) -> None:
        uids = await asyncio.to_thread(following.changing, overseer_dsn)
        if not uids or helpers.identity is None:
            return
        try:
            addresses = await helpers.identity.addresses(uids)
        except IdentityOutage as outage:
            log.warning("addresses_not_followed", kind=str(outage))  # the next minute asks again
            return
        await asyncio.to_thread(following.follow, overseer_dsn, addresses)

    @app.task(name=RELIST_TASK, retry=RETRY)
    async def documents_changed(tenant_id: str | None, user_id: str) -> None:
        await asyncio.to_thread(_relist, user_id)

    def _relist(user_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            relist(conn, UUID(user_id))

    @app.task(name=ERASE_GURU_TASK, retry=RETRY)
    async def guru_goes(tenant_id: str | None, guru_id: str) -> None:
        await asyncio.to_thread(_erase_guru, guru_id)

    def _erase_guru(guru_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            erase_guru(conn, UUID(guru_id))

    helping.add_tasks(app, overseer_dsn, mailer, helpers.main_origin, RETRY)
    papers = paperwork.Helpers(mailer, helpers.main_origin, helpers.files, helpers.payments)
    paperwork.add_tasks(app, overseer_dsn, papers, RETRY)
    geocoder = helpers.geocoder or Gazetteer()
    finders = finding.Helpers(mailer, helpers.main_origin, helpers.embedder, geocoder)
    finding.add_tasks(app, overseer_dsn, finders, RETRY)

    @app.periodic(cron="7 * * * *")
    @app.task(name="sweep", pass_context=True, queueing_lock="sweep")
    async def sweep(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(sweep_now, overseer_dsn)

    @app.periodic(cron="* * * * *")
    @app.task(name=REVIVE_TASK, pass_context=True, queueing_lock=REVIVE_TASK)
    async def revive(_context: JobContext, timestamp: int) -> None:
        # A worker that was killed leaves its jobs marked as running for ever.
        for job in await app.job_manager.get_stalled_jobs():
            await app.job_manager.retry_job(job)

    return app


def sweep_now(overseer_dsn: str) -> None:
    """Throw away what has had its day: visitors' marks and salts, sessions, old messages, jobs done long ago."""
    now = clock.now()
    with psycopg.connect(overseer_dsn) as conn:
        marks = conn.execute("DELETE FROM view_marks WHERE day < %s", [now.date()]).rowcount
        conn.execute("DELETE FROM daily_salts WHERE day < %s", [now.date()])
        conn.execute("DELETE FROM sessions WHERE expires_at < %s", [now])
        conn.execute("DELETE FROM users WHERE status = 'erased' AND updated_at < %s", [now - KEEP_ERASED])
        conn.execute("DELETE FROM contact_messages WHERE created_at < %s", [now - KEEP_MESSAGES])
        conn.execute("DELETE FROM reports WHERE resolved_at < %s", [now - KEEP_RESOLVED])
        conn.execute("DELETE FROM payment_events WHERE received_at < %s", [now - KEEP_EVENTS])
        forget_unused_uploads(conn)
        conn.execute("DELETE FROM farewells WHERE created_at < %s", [now - KEEP_FAREWELLS])
        conn.execute("DELETE FROM site_previews WHERE created_at < %s", [now - PREVIEW_LIFE])
        see_queue(conn)
        conn.execute(
            "DELETE FROM jobs.procrastinate_jobs j WHERE j.status IN ('succeeded', 'cancelled', 'aborted')"
            " AND NOT EXISTS (SELECT FROM jobs.procrastinate_events e WHERE e.job_id = j.id AND e.at > %s)",
            [now - KEEP_DONE],
        )
    log.info("swept", marks=marks)


async def work(overseer_dsn: str, helpers: Helpers, settings: Settings) -> None:
    """Run jobs until SIGINT or SIGTERM; a running job is finished first."""
    app = build(overseer_dsn, helpers)
    await asyncio.to_thread(finding.begin, overseer_dsn, helpers.embedder)
    async with app.open_async(), _emulators_mail(helpers.mailer, settings):
        await app.run_worker_async(
            concurrency=4,
            fetch_job_polling_interval=POLL,
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
    delivery = deliver_codes(settings.emulator_url, settings.firebase_project_id, settings.main_origin, mailer)
    beside = asyncio.create_task(delivery)
    try:
        yield
    finally:
        beside.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await beside
