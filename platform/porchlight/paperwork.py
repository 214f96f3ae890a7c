"""The worker's tasks about documents and payouts (see `jobs`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.documents import expiry
from porchlight.documents.actions import REVIEW_TASK
from porchlight.logs import log
from porchlight.notices.documents import letter_about_review, letter_of_lapse, letter_of_reminder
from porchlight.notices.mail import Letter, Mailer
from porchlight.payouts import actions as payouts
from porchlight.ports import FileStore, Payouts
from tenants.kit.db import Database

DISCARD_TASK = "discard_document_file"  # enqueued by the database when a file's row goes


@dataclass(frozen=True, slots=True)
class Helpers:
    """Whom these jobs need. None: there is no such part."""

    mailer: Mailer
    main_origin: str
    files: FileStore | None
    payments: Payouts | None


def add_tasks(app: App, overseer_dsn: str, helpers: Helpers, retry: RetryStrategy) -> None:
    """Add them to the job app."""
    main_origin = helpers.main_origin

    async def post(write: Callable[[psycopg.Connection[tuple[object, ...]]], Letter | None]) -> None:
        def work() -> None:
            with psycopg.connect(overseer_dsn) as conn:
                letter = write(conn)
            if letter is not None:
                helpers.mailer.send(letter)

        await asyncio.to_thread(work)

    @app.task(name=REVIEW_TASK, retry=retry)
    async def tell_of_review(tenant_id: str | None, user_id: str, document_id: str) -> None:
        await post(lambda conn: letter_about_review(conn, UUID(user_id), UUID(document_id), main_origin))

    @app.task(name=expiry.REMIND_TASK, retry=retry)
    async def remind_of_expiry(tenant_id: str | None, user_id: str, document_id: str, days: int) -> None:
        await post(lambda conn: letter_of_reminder(conn, UUID(user_id), UUID(document_id), days, main_origin))

    @app.task(name=expiry.LAPSE_TASK, retry=retry)
    async def tell_of_lapse(tenant_id: str | None, user_id: str, document_id: str) -> None:
        await post(lambda conn: letter_of_lapse(conn, UUID(user_id), UUID(document_id), main_origin))

    @app.task(name=DISCARD_TASK, retry=retry)
    async def discard_document_file(tenant_id: str | None, key: str) -> None:
        if helpers.files is None:
            log.error("file_not_discarded")
            return
        await helpers.files.delete(key)

    @app.task(name=payouts.FOLLOW_TASK, retry=retry)
    async def follow_payout_account(tenant_id: str | None, account_id: str, event_id: str) -> None:
        if helpers.payments is None:
            log.error("payment_event_not_followed", event=event_id)
            return
        overseer = Database(overseer_dsn)
        try:
            await payouts.follow(overseer, helpers.payments, account_id)
        finally:
            await overseer.close()

    @app.periodic(cron="3 * * * *")
    @app.task(name="mind_documents", pass_context=True, queueing_lock="mind_documents")
    async def mind_documents(_context: JobContext, timestamp: int) -> None:
        reminded, lapsed = await asyncio.to_thread(expiry.mind, overseer_dsn)
        log.info("documents_minded", reminded=reminded, lapsed=lapsed)
