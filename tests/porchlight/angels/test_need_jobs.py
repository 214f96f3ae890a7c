"""Jobs of Angel's List: whose rows their functions return, failed emails, concurrent completions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest

from tenants.db.jobs import enqueue_as_service, use_jobs_schema
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.job_cases import CASES, seed_angel, seed_completed_need, seed_need, seed_posted_need
from tests.porchlight.app_client import wait_until
from tests.porchlight.factories import insert_row
from tests.porchlight.job_cases import JobCase, RecordingServices

CALLS = {
    "angels:notify_angels": "SELECT * FROM app.angels_to_notify(20, interval '1 day')",
    "angels:notify_owner": "SELECT * FROM app.job_contacts()",
    "angels:notify_result": "SELECT * FROM app.job_contacts()",
}

FAR_AWAY = {"latitude": -33.9, "longitude": 18.4}  # from the angels of other tests


def _rows(database: Database, task: str, args: Mapping[str, Any], call: str = "") -> list[Any]:
    """Return what the app role reads in a transaction of a running job with these arguments."""
    with psycopg.connect(database.service_url) as conn:
        job_id = enqueue_as_service(conn, task, **args)
        use_jobs_schema(conn)
        conn.execute("UPDATE jobs.procrastinate_jobs SET status = 'doing' WHERE id = %s", [job_id])
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.job_id', %s, true)", [str(job_id)])
        return conn.execute((call or CALLS[task]).encode()).fetchall()


@pytest.mark.parametrize("case", [case for case in CASES if case.task in CALLS], ids=lambda case: case.task)
def test_function_of_job_returns_rows_of_its_user_only(database: Database, case: JobCase) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, foreign = case.seed(conn)
    assert _rows(database, case.task, foreign) == []
    assert _rows(database, case.task, own)


class _FailingMailer:
    def send(self, _message: Any) -> bool:
        raise OSError("the mail server is down")


async def test_failed_need_email_is_sent_by_next_run(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, _ = seed_posted_need(conn)
        enqueue_as_service(conn, "angels:notify_angels", **own)
    await do_jobs(database, mailer=_FailingMailer())
    services = RecordingServices()
    for _ in range(2):
        with psycopg.connect(database.service_url) as conn:
            enqueue_as_service(conn, "angels:notify_angels", **own)
        await do_jobs(database, **services.dependencies())
    assert len(services.calls) == 1


async def test_angel_without_emails_hears_in_the_app(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        owner, need = seed_need(conn, **FAR_AWAY)
        angels = [seed_angel(conn, **FAR_AWAY) for _ in range(4)]
        for angel in angels[:2]:
            insert_row(conn, "email_settings", {"user_id": angel, "kind": "needs", "is_on": False})
        args = {"user_id": str(owner), "need_id": str(need)}
    call = "SELECT * FROM app.angels_to_notify({most}, interval '1 day')"

    def notified(most: int) -> list[int]:
        """Return how many of those with and without emails hear of the need."""
        found = {user for (user,) in _rows(database, "angels:notify_angels", args, call.format(most=most))}
        return [len(found & set(angels[:2])), len(found & set(angels[2:]))]

    assert [notified(most) for most in (0, 1, 2)] == [[0, 0], [1, 1], [2, 2]]
    with psycopg.connect(database.service_url) as conn:
        enqueue_as_service(conn, "angels:notify_angels", **args)
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        told = "SELECT user_id FROM notifications WHERE kind = 'needs' AND url LIKE %s ORDER BY user_id"
        in_app = [user for (user,) in conn.execute(told, [f"%{need}%"]).fetchall()]
        mailed = "SELECT count(*) FROM dev_mailbox WHERE key LIKE %s"
        assert conn.execute(mailed, [f"need-{need}-%"]).fetchone() == (2,)
    assert in_app == sorted(angels)
    assert notified(2) == [0, 0]


async def test_counters_include_concurrent_completion(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, _ = seed_completed_need(conn)
        (angel,) = conn.execute("SELECT accepted_user_id FROM needs WHERE id = %s", [own["need_id"]]).fetchone() or ()
        enqueue_as_service(conn, "angels:update_counters", **own)

    async def is_blocked() -> bool:
        with psycopg.connect(database.superuser_url) as conn:
            row = conn.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND usename = 'porchlight_overseer'"
                " AND wait_event_type = 'Lock'",
                [database.name],
            ).fetchone()
        return row == (1,)

    with psycopg.connect(database.service_url) as other:
        other.execute("SELECT FROM angels WHERE user_id = %s FOR UPDATE", [angel])
        job = asyncio.create_task(do_jobs(database))
        await wait_until("the job waits for the angel's row", is_blocked)
        with psycopg.connect(database.service_url) as conn:
            seed_completed_need(conn, angel)
        other.commit()
        await job
    with psycopg.connect(database.service_url) as conn:
        counters = conn.execute("SELECT jobs, ratings, rating_sum FROM angels WHERE user_id = %s", [angel]).fetchone()
    assert counters == (2, 2, 8)
