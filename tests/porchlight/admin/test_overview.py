"""The admin overview: what waits and what ails, each from an index or a counter, and failed jobs."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest

from porchlight.features.admin.overview import queries
from tenants.db.jobs import enqueue_as_service, use_jobs_schema
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.product import run_program
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.factories import insert_row, seed_guru, seed_lead


async def _overview(area: AdminArea) -> dict[str, Any]:
    response = await area.web.get("/api/admin/overview", headers=area.staff)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def _fail_job(area: AdminArea, task: str, age: str = "1 hour") -> int:
    """Add a job that failed. Return its id."""
    with psycopg.connect(area.database.service_url) as conn:
        job_id = enqueue_as_service(conn, task)
        use_jobs_schema(conn)
        conn.execute(
            "UPDATE procrastinate_jobs SET status = 'failed', attempts = 6, deferred_at = now() - %s::interval"
            " WHERE id = %s",
            [age, job_id],
        )
    assert job_id is not None
    return job_id


async def test_overview_counts_what_waits(area: AdminArea) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        guru = seed_guru(conn, "waits-here")
        file = {"user_id": guru.owner, "type": "license", "file_url": "https://example.com/a.pdf"}
        for status in ("pending", "pending", "approved"):
            insert_row(conn, "documents", file | {"id": new_id(), "status": status})
        report = {"subject_kind": "site", "subject_id": guru.id, "subject_name": guru.label, "subject_title": "Guru"}
        report |= {"reason": "spam", "address_hash": b"", "idempotency_key": "waits", "digest": b""}
        insert_row(conn, "reports", report | {"id": new_id()})
    with psycopg.connect(area.database.superuser_url) as conn:
        activity = {"category": "", "activity": "underwater chess", "digest": b"chess"}
        insert_row(conn, "risk_reviews", activity | {"id": new_id()})
    (row,) = area.rows(
        "SELECT (SELECT count(*) FROM documents WHERE status = 'pending'),"
        " (SELECT count(*) FROM reports WHERE status = 'open'),"
        " (SELECT count(*) FROM risk_reviews WHERE level IS NULL)"
    )
    overview = await _overview(area)
    waiting = [overview[name] for name in ("documents", "reports", "riskReviews")]
    assert [queue["count"] for queue in waiting] == list(row)
    assert all(queue["count"] > 0 and queue["oldestAt"] for queue in waiting)


async def test_overview_counts_leads_and_sign_ups_of_today(area: AdminArea) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        guru = seed_guru(conn, "counts-days")
        for number in range(3):
            seed_lead(conn, guru, f"day-{number}")
    with psycopg.connect(area.database.superuser_url) as superuser:
        superuser.execute("INSERT INTO daily_counters VALUES ('leads', app.now()::date - 7, 0, 5)")
    days = (await _overview(area))["days"]
    (row,) = area.rows("SELECT (SELECT count(*) FROM leads), (SELECT count(*) FROM users)")
    assert (days[0]["day"], days[0]["leads"], days[0]["signUps"]) == (clock.now().date().isoformat(), *row)
    assert [(day["leads"], day["signUps"]) for day in days[1:]] == [(0, 0)] * (queries.DAYS - 1)


async def test_failed_jobs_are_listed_and_queued_again(area: AdminArea) -> None:
    before = await _overview(area)
    jobs = [_fail_job(area, "leads:notify_guru"), _fail_job(area, "leads:notify_guru")]
    _fail_job(area, "listings:geocode_user")
    _fail_job(area, "leads:send_reply", age="31 days")
    old = _fail_job(area, "leads:notify_guru", age="31 days")
    after = await _overview(area)
    assert (after["failedEmails"] - before["failedEmails"], after["failedJobs"] - before["failedJobs"]) == (2, 1)
    items = (await area.web.get("/api/admin/failed-jobs", headers=area.staff)).json()["data"]["items"]
    (notices,) = [item for item in items if item["task"] == "leads:notify_guru"]
    assert (notices["count"], notices["email"], notices["retryable"]) == (2, True, True)

    path = "/api/admin/failed-jobs/leads:notify_guru/retries"
    response = await area.web.post(path, headers=area.staff)
    assert (response.status_code, response.json()["data"]) == (200, {"retried": 2})
    rows = area.rows("SELECT status::text, attempts FROM jobs.procrastinate_jobs WHERE id = ANY(%s)", jobs)
    assert rows == [("todo", 0), ("todo", 0)]
    assert area.rows("SELECT status::text FROM jobs.procrastinate_jobs WHERE id = ANY(%s)", [old]) == [("failed",)]
    assert (await _overview(area))["failedEmails"] == before["failedEmails"]
    assert (await area.audit_actions("leads:notify_guru"))[0] == "job.retry"
    assert (await area.web.post(path, headers=area.staff)).status_code == 404


async def test_overview_shows_age_of_oldest_due_job(area: AdminArea) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        use_jobs_schema(conn)
        conn.execute("UPDATE procrastinate_jobs SET status = 'cancelled' WHERE status = 'todo'")
    assert (await _overview(area))["jobsWaiting"] == {"count": 0, "oldestAt": None}
    with psycopg.connect(area.database.service_url) as conn:
        due, later = enqueue_as_service(conn, "leads:notify_guru"), enqueue_as_service(conn, "leads:notify_guru")
        use_jobs_schema(conn)
        conn.execute("UPDATE procrastinate_jobs SET deferred_at = now() - interval '9 minutes' WHERE id = %s", [due])
        conn.execute("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour' WHERE id = %s", [later])
        (row,) = conn.execute(
            "SELECT deferred_at + (app.now() - now()) FROM procrastinate_jobs WHERE id = %s", [due]
        ).fetchall()
    waiting = (await _overview(area))["jobsWaiting"]
    assert waiting == {"count": 1, "oldestAt": clock.to_iso8601(row[0])}


async def test_backup_record_sets_time_of_last_backup(area: AdminArea) -> None:
    assert (await _overview(area))["lastBackupAt"] is None
    env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": area.database.service_url}
    code, output = await asyncio.to_thread(run_program, "backup", "record", env=env)
    assert code == 0, output
    last = (await _overview(area))["lastBackupAt"]
    assert last is not None
    assert last[:10] == clock.now().date().isoformat()


@pytest.mark.parametrize(
    ("query", "table"),
    [(queries._OVERVIEW, "documents"), (queries._OVERVIEW, "reports"), (queries._FAILURES, "procrastinate_jobs")],
)
def test_overview_query_scans_no_large_table(area: AdminArea, query: str, table: str) -> None:
    now = clock.now()
    params = {"max": 1000, "since": now, "booking_emails": queries.BOOKING_EMAILS}
    params |= {"now": now, "today": now.date(), "days": queries.DAYS}
    with psycopg.connect(area.database.service_url) as conn:
        conn.execute("SET enable_seqscan = off")  # on small tables, a scan is cheaper
        plan = "\n".join(row[0] for row in conn.execute(f"EXPLAIN {query}".encode(), params).fetchall())
    assert f"Seq Scan on {table}" not in plan


@pytest.mark.parametrize(
    ("task", "sends"),
    [
        ("leads:notify_guru", True),
        ("waivers:send_receipt", True),
        ("bookings:emails", True),
        ("auth:sync_emails", False),
    ],
)
def test_task_name_tells_whether_it_sends_email(task: str, sends: bool) -> None:
    assert queries.is_email(task) is sends
