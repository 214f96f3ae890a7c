"""SIGKILL of workers while they tell people of messages: each email and each notification is there exactly once."""

from __future__ import annotations

import random
from collections.abc import Callable

import psycopg
import pytest

from tests.drills.kills import start_worker
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.fixtures.product import eventually
from tests.porchlight.angels.users import register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.messages.api import open_thread

__all__ = ["certificates", "signer"]
pytestmark = [pytest.mark.parts, pytest.mark.drill]
WORKERS = 3
READERS = 150
KILLS = 12
SECONDS = 300


async def _write_to_each(database: Database, certificates: CertificateServer, signer: Signer) -> None:
    """Let one person after the other get a message, and let its email be due."""
    async with (
        run_app(database, firebase_project_id=PROJECT, firebase_certs_url=certificates.url) as app,
        http_client(app, BASE_HOST) as web,
    ):
        writers = [await register_user(web, signer, database, f"Writer {number}") for number in range(READERS // 25)]
        for number in range(READERS):
            reader = await register_user(web, signer, database, f"Reader {number}")
            await open_thread(writers[number // 25], reader)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE thread_members SET mail_due_at = app.now() WHERE mail_due_at IS NOT NULL")


def _keys(database: Database) -> list[str]:
    """Return the keys of the emails about messages in the mailbox."""
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT key FROM dev_mailbox WHERE key LIKE 'messages-%'").fetchall()
    return [row[0] for row in rows]


def _at_least(database: Database, count: int) -> Callable[[], bool]:
    def check() -> bool:
        with psycopg.connect(database.service_url) as conn:
            conn.execute("SELECT app.enqueue('messages:process_due', '{}', NULL)")
        return len(_keys(database)) >= count

    return check


async def test_message_emails_survive_killed_workers(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    await _write_to_each(database, certificates, signer)
    workers = [start_worker(database) for _ in range(WORKERS)]
    try:
        for number in range(KILLS):
            eventually("more emails are sent", _at_least(database, READERS * number // KILLS + 1), SECONDS)
            victim = workers.pop(random.randrange(WORKERS))
            victim.kill()
            victim.wait(10)
            workers.append(start_worker(database))
        eventually("every email is sent", _at_least(database, READERS), SECONDS)
        with psycopg.connect(database.service_url, autocommit=True) as conn:
            done = (
                "SELECT NOT EXISTS (SELECT FROM jobs.procrastinate_jobs"
                " WHERE status IN ('todo', 'doing') AND task_name LIKE 'messages:%')"
            )
            eventually("no job is left", lambda: conn.execute(done).fetchone() == (True,), SECONDS)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait(10)
    keys = _keys(database)
    assert (len(keys), len(set(keys))) == (READERS, READERS)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT count(*), count(DISTINCT user_id) FROM notifications WHERE kind = 'messages'"
        assert conn.execute(query).fetchone() == (READERS, READERS)
