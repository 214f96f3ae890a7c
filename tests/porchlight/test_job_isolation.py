"""Isolation of jobs: a job of one tenant or user finds no row of another, sends no email and calls no service.

Each feature with jobs has its cases in `tests/porchlight/<feature>/job_cases.py`.
"""

from __future__ import annotations

import re

import psycopg
import pytest

from porchlight.worker import app
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, do_jobs
from tests.porchlight.angels.job_cases import CASES as ANGELS
from tests.porchlight.auth.job_cases import CASES as AUTH
from tests.porchlight.bookings.job_cases import CASES as BOOKINGS
from tests.porchlight.console.job_cases import CASES as LEADS
from tests.porchlight.documents.job_cases import CASES as DOCUMENTS
from tests.porchlight.job_cases import JobCase, RecordingServices, fingerprint
from tests.porchlight.listings.job_cases import CASES as LISTINGS
from tests.porchlight.onboarding.job_cases import CASES as ONBOARDING
from tests.porchlight.payouts.job_cases import CASES as PAYOUTS
from tests.porchlight.profiles.job_cases import CASES as PROFILES
from tests.porchlight.questions.job_cases import CASES as QUESTIONS
from tests.porchlight.waivers.job_cases import CASES as WAIVERS

CASES: tuple[JobCase, ...] = (
    *LEADS,
    *ANGELS,
    *AUTH,
    *BOOKINGS,
    *DOCUMENTS,
    *LISTINGS,
    *ONBOARDING,
    *PAYOUTS,
    *PROFILES,
    *QUESTIONS,
    *WAIVERS,
)
# Tasks without the id of a tenant or a user: they work on the rows of many through a function that only their job may
# call, on a row that is gone already, or as the service role (maintenance, bookings, search:reindex, guru_facts).
SYSTEM_TASKS = {
    "angels:expire_needs",
    "auth:sync_emails",
    "bookings:complete",
    "bookings:expire",
    "bookings:remind",
    "contact:notify_staff",
    "documents:delete_file",
    "documents:process_expiry",
    "embeddings:relate_phrases",
    "guru_facts:count",
    "listings:sync_profiles",
    "maintenance:purge_expired",
    "maintenance:requeue_stalled",
    "matches:find_swap_rings",
    "matches:notify_members",
    "profiles:send_account_deleted",
    "search:reindex",
    "search:send_alerts",
}


def _status(database: Database, job_id: int | None) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT status::text FROM jobs.procrastinate_jobs WHERE id = %s", [job_id]).fetchone()
    assert row is not None
    return str(row[0])


def test_isolation_cases_cover_all_tasks(database: Database) -> None:
    tasks = app.build(database.service_url, create_job_dependencies(database)).tasks
    ours = {name for name in tasks if not name.startswith(("builtin:", "procrastinate."))}
    assert {case.task for case in CASES} | SYSTEM_TASKS == ours


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.task)
async def test_job_of_other_tenant_finds_no_row(database: Database, case: JobCase) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, foreign = case.seed(conn)
    services = RecordingServices()
    await do_jobs(database, **services.dependencies())  # jobs that the rows themselves have started
    services.calls.clear()
    for args, may_act in ((foreign, False), (own, True)):
        before = fingerprint(database)
        with psycopg.connect(database.service_url) as conn:
            job_id = enqueue_as_service(conn, case.task, **args)
        await do_jobs(database, **services.dependencies())
        has_acted = bool(services.calls) or fingerprint(database) != before
        # The same job with the right owner does act, so the case can fail.
        assert has_acted is may_act, (args, services.calls)
        services.calls.clear()
        if may_act:
            assert _status(database, job_id) == "succeeded"


def test_guarded_functions_refuse_requests(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        functions = conn.execute(
            "SELECT p.proname, p.pronargs, p.prosrc FROM pg_proc p WHERE p.pronamespace = 'app'::regnamespace"
            " AND p.prosrc LIKE '%app.running_job(%' ORDER BY p.proname"
        ).fetchall()
    assert functions
    for name, arguments, source in functions:
        (task,) = set(re.findall(r"app\.running_job\('([\w:]+)'\)", source))
        with psycopg.connect(database.service_url) as conn:
            waiting = enqueue_as_service(conn, task)
        call = f"SELECT * FROM app.{name}({', '.join(['NULL'] * arguments)})".encode()
        for job_id in ("", str(waiting)):  # without a job, and with one that does not run
            with psycopg.connect(database.app_url) as conn:
                conn.execute("SELECT set_config('app.job_id', %s, true)", [job_id])
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match="not of a running job"):
                    conn.execute(call)


def test_app_role_cannot_enqueue_other_tasks(database: Database) -> None:
    tasks = app.build(database.service_url, create_job_dependencies(database)).tasks
    user_id = "00000000-0000-4000-8000-000000000001"
    allowed = set()
    for task in tasks:
        with psycopg.connect(database.app_url) as conn:
            conn.execute(
                "SELECT set_config('app.tenant_id', %s, true), set_config('app.user_id', %s, true)", [user_id] * 2
            )
            try:
                conn.execute("SELECT app.enqueue_task(%s, '{}', false)", [task])
            except psycopg.errors.InsufficientPrivilege:
                continue
            allowed.add(task)
            conn.rollback()
    assert allowed == {
        "angels:notify_angels",
        "angels:notify_owner",
        "angels:notify_result",
        "angels:update_counters",
        "auth:delete_identity",
        "auth:revoke_tokens",
        "leads:notify_guru",
        "leads:send_receipt",
        "leads:send_reply",
        "listings:geocode_user",
        "profiles:send_welcome",
        "questions:notify_recipient",
        "waivers:send_receipt",
    }
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT app.enqueue('onboarding:delete_guru', '{}', NULL)")


def test_enqueue_without_tenant_is_refused(database: Database) -> None:
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT app.enqueue_task('leads:notify_guru', '{}', false)")
