"""Tasks of documents and payouts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.features.documents import expiry
from porchlight.features.documents.actions import REVIEW_TASK
from porchlight.features.documents.emails import (
    document_expired_email,
    document_expiring_email,
    document_reviewed_email,
)
from porchlight.features.payouts import actions as payouts
from porchlight.ports import EmailMessage, FileStore, Mailer, Payouts
from tenants.db.pool import Database
from tenants.kit.logs import log

DISCARD_TASK = "discard_document_file"  # enqueued by the database when a file's row goes


@dataclass(frozen=True, slots=True)
class DocumentsDependencies:
    """The adapters of these jobs. None: not configured."""

    mailer: Mailer
    main_origin: str
    files: FileStore | None
    payments: Payouts | None


def add_tasks(app: App, service_dsn: str, dependencies: DocumentsDependencies, retry: RetryStrategy) -> None:
    """Add the tasks to the app."""
    main_origin = dependencies.main_origin

    async def post(write: Callable[[psycopg.Connection[tuple[object, ...]]], EmailMessage | None]) -> None:
        def work() -> None:
            with psycopg.connect(service_dsn) as conn:
                message = write(conn)
            if message is not None:
                dependencies.mailer.send(message)

        await asyncio.to_thread(work)

    @app.task(name=REVIEW_TASK, retry=retry)
    async def tell_of_review(tenant_id: str | None, user_id: str, document_id: str) -> None:
        await post(lambda conn: document_reviewed_email(conn, UUID(user_id), UUID(document_id), main_origin))

    @app.task(name=expiry.REMIND_TASK, retry=retry)
    async def remind_of_expiry(tenant_id: str | None, user_id: str, document_id: str, days: int) -> None:
        await post(lambda conn: document_expiring_email(conn, UUID(user_id), UUID(document_id), days, main_origin))

    @app.task(name=expiry.LAPSE_TASK, retry=retry)
    async def tell_of_lapse(tenant_id: str | None, user_id: str, document_id: str) -> None:
        await post(lambda conn: document_expired_email(conn, UUID(user_id), UUID(document_id), main_origin))

    @app.task(name=DISCARD_TASK, retry=retry)
    async def discard_document_file(tenant_id: str | None, key: str) -> None:
        if dependencies.files is None:
            log.error("file_not_discarded")
            return
        await dependencies.files.delete(key)

    @app.task(name=payouts.SYNC_ACCOUNT_TASK, retry=retry)
    async def follow_payout_account(tenant_id: str | None, account_id: str, event_id: str) -> None:
        if dependencies.payments is None:
            log.error("payment_event_not_followed", event=event_id)
            return
        service_db = Database(service_dsn)
        try:
            await payouts.sync_account(service_db, dependencies.payments, account_id)
        finally:
            await service_db.close()

    @app.periodic(cron="3 * * * *")
    @app.task(name="mind_documents", pass_context=True, queueing_lock="mind_documents")
    async def mind_documents(_context: JobContext, timestamp: int) -> None:
        reminded, lapsed = await asyncio.to_thread(expiry.process_document_expiry, service_dsn)
        log.info("documents_minded", reminded=reminded, lapsed=lapsed)
