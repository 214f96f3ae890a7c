"""Isolation of jobs: a job of one tenant or user finds no row of another, sends no email and calls no service.

Each feature with jobs has its cases in `tests/porchlight/<feature>/job_cases.py`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.worker import app
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, do_jobs
from tests.porchlight.angels.job_cases import CASES as ANGELS
from tests.porchlight.auth.job_cases import CASES as AUTH
from tests.porchlight.bookings.job_cases import CASES as BOOKINGS
from tests.porchlight.busy_sources.job_cases import CASES as BUSY_SOURCES
from tests.porchlight.documents.job_cases import CASES as DOCUMENTS
from tests.porchlight.exchanges.job_cases import CASES as EXCHANGES
from tests.porchlight.job_cases import JobCase, RecordingServices, fingerprint
from tests.porchlight.leads.job_cases import CASES as LEADS
from tests.porchlight.listings.job_cases import CASES as LISTINGS
from tests.porchlight.messages.job_cases import CASES as MESSAGES
from tests.porchlight.notifications.job_cases import CASES as NOTIFICATIONS
from tests.porchlight.onboarding.job_cases import CASES as ONBOARDING
from tests.porchlight.plans.job_cases import CASES as PLANS
from tests.porchlight.profiles.job_cases import CASES as PROFILES
from tests.porchlight.risk.job_cases import CASES as RISK
from tests.porchlight.waivers.job_cases import CASES as WAIVERS

# The second for a function that only another function of its owner calls.
REFUSED = "not of a running job|permission denied for function"
CASES: tuple[JobCase, ...] = (
    *LEADS,
    *ANGELS,
    *AUTH,
    *BOOKINGS,
    *BUSY_SOURCES,
    *EXCHANGES,
    *DOCUMENTS,
    *RISK,
    *LISTINGS,
    *NOTIFICATIONS,
    *MESSAGES,
    *ONBOARDING,
    *PLANS,
    *PROFILES,
    *WAIVERS,
)
# Tasks without the id of a tenant or a user: they work on the rows of many through a function that only their job may
# call, on a row that is gone already, or as the service role (maintenance, bookings, search, guru_facts, settlement).
SYSTEM_TASKS = {
    "billing:send_reminders",
    "angels:expire_needs",
    "auth:send_code",
    "auth:sync_emails",
    "bookings:complete",
    "bookings:expire",
    "bookings:follow_zone_rules",
    "bookings:remind",
    "busy_sources:queue_due",
    "contact:notify_staff",
    "contact:send_digest",
    "documents:delete_file",
    "documents:process_expiry",
    "embeddings:relate_phrases",
    "exchanges:process_due",
    "guru_facts:count",
    "listings:sync_profiles",
    "maintenance:purge_expired",
    "maintenance:requeue_stalled",
    "matches:find_swap_rings",
    "matches:notify_members",
    "messages:announce_event",
    "messages:delete_file",
    "messages:delete_unused_files",
    "messages:process_due",
    "notifications:sweep",
    "payments:deliver",
    "plans:apply_due_plans",
    "profiles:send_account_deleted",
    "reviews:ask",
    "reviews:publish",
    "reviews:recount",
    "search:reindex",
    "search:send_alerts",
    "settlement:fetch_open_objects",
    "settlement:process",
    "settlement:reconcile",
    "settlement:receive_undelivered",
    "settlement:send",
    "settlement:sweep",
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
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match=REFUSED):
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
        "notifications:deliver",
        "notifications:release_device",
        "notifications:send_test",
        "profiles:send_welcome",
        "waivers:send_receipt",
    }
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT app.enqueue('onboarding:delete_guru', '{}', NULL)")


OWN, OTHER = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
# Who a request is, and the arguments by which it names someone else.
SETTINGS = {"tenant": ("app.tenant_id",), "user": ("app.user_id",), "both": ("app.tenant_id", "app.user_id")}
FOREIGN_ARGS = (
    {"tenant_id": OTHER},
    {"user_id": OTHER},
    {"tenant_id": OTHER, "user_id": OTHER},
    {"tenant_id": None, "user_id": None},
    {"tenant_id": OTHER.upper(), "tenant_id ": OTHER, "TENANT_ID": OTHER},
)


_JOB_OWNER = "SELECT args ->> 'tenant_id', args ->> 'user_id' FROM jobs.procrastinate_jobs WHERE id = %s"


def _enqueue(conn: psycopg.Connection[Any], names: Sequence[str], call: str, values: list[Any]) -> Any:
    """Enqueue as a request with these settings. Return whose the job is, or None if it was refused."""
    with conn.transaction(force_rollback=True):
        conn.execute("SET LOCAL ROLE porchlight_app")
        for name in names:
            conn.execute("SELECT set_config(%s, %s, true)", [name, OWN])
        try:
            with conn.transaction():
                row = conn.execute(f"SELECT {call}".encode(), values).fetchone()
        except psycopg.errors.InsufficientPrivilege:
            return None
        conn.execute("RESET ROLE")
        assert row is not None
        return conn.execute(_JOB_OWNER, [row[0]]).fetchone()


@pytest.mark.parametrize("settings", SETTINGS)
def test_app_role_cannot_enqueue_for_others(database: Database, settings: str) -> None:
    names = SETTINGS[settings]
    own = tuple(OWN if f"app.{name}" in names else None for name in ("tenant_id", "user_id"))
    tasks = app.build(database.service_url, create_job_dependencies(database)).tasks
    accepted = set()
    with psycopg.connect(database.superuser_url) as conn:
        for task, args, once in itertools.product(tasks, FOREIGN_ARGS, (False, True)):
            # The general function decides whose rows a job works on: no request may call it.
            lock = task if once else None
            assert _enqueue(conn, names, "app.enqueue(%s, %s, %s)", [task, Jsonb(args), lock]) is None, task
            found = _enqueue(conn, names, "app.enqueue_task(%s, %s, %s)", [task, Jsonb(args), once])
            assert found in (None, own), (task, args)
            accepted |= {task} if found else set()
    assert accepted  # the function itself works


def test_enqueue_without_tenant_is_refused(database: Database) -> None:
    with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT app.enqueue_task('leads:notify_guru', '{}', false)")
