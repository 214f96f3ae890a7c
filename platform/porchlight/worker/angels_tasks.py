"""Tasks of Angel's List."""

from __future__ import annotations

import asyncio
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.features.angels import counters
from porchlight.features.angels.needs.actions import (
    NOTIFY_ANGELS_TASK,
    NOTIFY_OWNER_TASK,
    NOTIFY_RESULT_TASK,
    UPDATE_COUNTERS_TASK,
)
from porchlight.features.angels.needs.emails import (
    angels_to_notify,
    need_posted_email,
    need_result_emails,
    offer_received_email,
)
from porchlight.ports import Mailer


def add_tasks(app: App, service_dsn: str, mailer: Mailer, main_origin: str, retry: RetryStrategy) -> None:
    """Add the tasks to the app."""

    @app.task(name=NOTIFY_ANGELS_TASK, retry=retry)
    async def tell_angels(tenant_id: str | None, need_id: str) -> None:
        await asyncio.to_thread(_tell_angels, UUID(need_id))

    def _tell_angels(need_id: UUID) -> None:
        with psycopg.connect(service_dsn) as conn:
            for angel in angels_to_notify(conn, need_id):
                # One transaction a mail: what was sent stays noted, whatever becomes of the next.
                message = need_posted_email(conn, need_id, angel, main_origin)
                if message is not None:
                    mailer.send(message)
                conn.commit()

    @app.task(name=NOTIFY_OWNER_TASK, retry=retry)
    async def tell_owner(tenant_id: str | None, offer_id: str) -> None:
        await asyncio.to_thread(_tell_owner, UUID(offer_id))

    def _tell_owner(offer_id: UUID) -> None:
        with psycopg.connect(service_dsn) as conn:
            message = offer_received_email(conn, offer_id, main_origin)
        if message is not None:
            mailer.send(message)

    @app.task(name=NOTIFY_RESULT_TASK, retry=retry)
    async def tell_outcome(tenant_id: str | None, need_id: str) -> None:
        await asyncio.to_thread(_tell_outcome, UUID(need_id))

    def _tell_outcome(need_id: UUID) -> None:
        with psycopg.connect(service_dsn) as conn:
            messages = need_result_emails(conn, need_id, main_origin)
        for message in messages:
            mailer.send(message)

    @app.task(name=UPDATE_COUNTERS_TASK, retry=retry)
    async def count_angel(tenant_id: str | None, user_id: str, service_id: str) -> None:
        await asyncio.to_thread(_count, UUID(user_id), service_id)

    def _count(user_id: UUID, service_id: str) -> None:
        with psycopg.connect(service_dsn) as conn:
            counters.update_counters(conn, user_id, service_id)

    @app.periodic(cron="*/5 * * * *")
    @app.task(name="expire_needs", pass_context=True, queueing_lock="expire_needs")
    async def expire_needs(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(_expire)

    def _expire() -> None:
        with psycopg.connect(service_dsn) as conn:
            counters.expire_needs(conn)
