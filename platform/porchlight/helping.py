"""The worker's tasks about Angel's List (see `jobs`)."""

from __future__ import annotations

import asyncio
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.angels import counting
from porchlight.angels.need_actions import COUNT_TASK, OUTCOME_TASK, TELL_ANGELS_TASK, TELL_OWNER_TASK
from porchlight.notices.mail import Mailer
from porchlight.notices.needs import angels_to_tell, letter_about_offer, letter_to_angel, letters_of_outcome


def add_tasks(app: App, overseer_dsn: str, mailer: Mailer, main_origin: str, retry: RetryStrategy) -> None:
    """Add them to the job app."""

    @app.task(name=TELL_ANGELS_TASK, retry=retry)
    async def tell_angels(tenant_id: str | None, need_id: str) -> None:
        await asyncio.to_thread(_tell_angels, UUID(need_id))

    def _tell_angels(need_id: UUID) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            for angel in angels_to_tell(conn, need_id):
                # One transaction a mail: what was sent stays noted, whatever becomes of the next.
                letter = letter_to_angel(conn, need_id, angel, main_origin)
                if letter is not None:
                    mailer.send(letter)
                conn.commit()

    @app.task(name=TELL_OWNER_TASK, retry=retry)
    async def tell_owner(tenant_id: str | None, offer_id: str) -> None:
        await asyncio.to_thread(_tell_owner, UUID(offer_id))

    def _tell_owner(offer_id: UUID) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letter = letter_about_offer(conn, offer_id, main_origin)
        if letter is not None:
            mailer.send(letter)

    @app.task(name=OUTCOME_TASK, retry=retry)
    async def tell_outcome(tenant_id: str | None, need_id: str) -> None:
        await asyncio.to_thread(_tell_outcome, UUID(need_id))

    def _tell_outcome(need_id: UUID) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            letters = letters_of_outcome(conn, need_id, main_origin)
        for letter in letters:
            mailer.send(letter)

    @app.task(name=COUNT_TASK, retry=retry)
    async def count_angel(tenant_id: str | None, user_id: str, service_id: str) -> None:
        await asyncio.to_thread(_count, UUID(user_id), service_id)

    def _count(user_id: UUID, service_id: str) -> None:
        with psycopg.connect(overseer_dsn) as conn:
            counting.count(conn, user_id, service_id)

    @app.periodic(cron="*/5 * * * *")
    @app.task(name="expire_needs", pass_context=True, queueing_lock="expire_needs")
    async def expire_needs(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(_expire)

    def _expire() -> None:
        with psycopg.connect(overseer_dsn) as conn:
            counting.expire(conn)
