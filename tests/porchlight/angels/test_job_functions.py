"""SQL functions of the jobs of Angel's List: their rows depend on the running job, not on the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
import pytest

from tenants.db.jobs import enqueue_as_service, use_jobs_schema
from tests.fixtures.databases import Database
from tests.porchlight.angels.job_cases import CASES
from tests.porchlight.job_cases import JobCase

CALLS = {
    "angels:notify_angels": "SELECT * FROM app.angels_to_notify(20, interval '1 day')",
    "angels:notify_owner": "SELECT * FROM app.job_contacts()",
    "angels:notify_result": "SELECT * FROM app.job_contacts()",
}


def _rows(database: Database, task: str, args: Mapping[str, Any]) -> list[Any]:
    """Return what the app role reads in a transaction of a running job with these arguments."""
    with psycopg.connect(database.service_url) as conn:
        job_id = enqueue_as_service(conn, task, **args)
        use_jobs_schema(conn)
        conn.execute("UPDATE jobs.procrastinate_jobs SET status = 'doing' WHERE id = %s", [job_id])
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.job_id', %s, true)", [str(job_id)])
        return conn.execute(CALLS[task].encode()).fetchall()


@pytest.mark.parametrize("case", [case for case in CASES if case.task in CALLS], ids=lambda case: case.task)
def test_function_of_job_returns_rows_of_its_user_only(database: Database, case: JobCase) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, foreign = case.seed(conn)
    assert _rows(database, case.task, foreign) == []
    assert _rows(database, case.task, own)
