"""General functions of jobs: a job learns of others only what its task lists, of the row that its arguments name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.worker import app
from tenants.db.jobs import enqueue_as_service
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, running_job
from tests.porchlight.angels.job_cases import CASES as ANGELS
from tests.porchlight.bookings.job_cases import CASES as BOOKINGS
from tests.porchlight.busy_sources.job_cases import CASES as BUSY_SOURCES
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.job_cases import JobCase
from tests.porchlight.leads.job_cases import CASES as LEADS

CONTACTS = "SELECT part, email FROM app.job_contacts()"
# The columns of each task whose job reads rows of others.
COLUMNS = {
    "angels:expire_needs": "user_id uuid",
    "auth:sync_emails": "user_id uuid, firebase_uid text, requested_at timestamptz",
    "billing:send_reminders": "user_id uuid, subscription_id uuid, past_due_since timestamptz, last_day integer",
    "documents:process_expiry": "user_id uuid, id uuid, expires_on date, last_reminder integer, has_successor boolean",
    "listings:sync_profiles": "user_id uuid",
    "plans:apply_due_plans": "user_id uuid",
    "search:send_alerts": (
        "user_id uuid, id uuid, words text, filters jsonb, seen_at timestamptz, email text, name text, handle text"
    ),
}
# Their function returns people to email, and their cases name a row of one owner.
CONTACT_CASES = tuple(
    case
    for case in (*ANGELS, *BOOKINGS, *BUSY_SOURCES, *LEADS)
    if case.task not in ("angels:notify_angels", "angels:update_counters", "bookings:send_links", "leads:send_receipt")
)
CONTACT_TASKS = {case.task for case in CONTACT_CASES} | {"matches:notify_members"}
# Each general function with the tasks that may call it.
GENERAL = {
    "SELECT * FROM app.job_contacts()": CONTACT_TASKS,
    "SELECT * FROM app.job_rows(NULL) AS (user_id uuid)": set(COLUMNS),
}


def _split(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the ids of their owner as the fixture takes them."""
    return {name: UUID(value) if name in ("user_id", "tenant_id") else value for name, value in args.items()}


def _read(database: Database, task: str, query: str, **args: Any) -> list[tuple[Any, ...]]:
    with running_job(database, task, **args) as job, job.transaction() as conn:
        return [tuple(row) for row in conn.execute(query.encode())]


def _rows_query(task: str) -> str:
    return f"SELECT * FROM app.job_rows(NULL) AS ({COLUMNS[task]})"


@pytest.mark.parametrize("call", GENERAL)
def test_general_functions_refuse_requests(database: Database, call: str) -> None:
    with psycopg.connect(database.service_url) as conn:
        waiting = enqueue_as_service(conn, "plans:apply_due_plans")
    for job_id in ("", str(waiting)):  # without a job, and with one that does not run
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.job_id', %s, true)", [job_id])
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="not of a running job"):
                conn.execute(call.encode())


def test_requests_cannot_read_the_running_job(database: Database) -> None:
    for call in ("SELECT app.running_task()", "SELECT app.running_job('plans:apply_due_plans')"):
        with running_job(database, "plans:apply_due_plans") as job, job.transaction() as conn:
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied for function"):
                conn.execute(call.encode())


def test_general_functions_refuse_other_tasks(database: Database) -> None:
    tasks = app.build(database.service_url, create_job_dependencies(database)).tasks
    ours = {name for name in tasks if not name.startswith(("builtin:", "procrastinate."))}
    assert CONTACT_TASKS | COLUMNS.keys() <= ours
    for task in ours:
        for call, accepted in GENERAL.items():
            if task not in accepted:
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match=f"the job {task} has no"):
                    _read(database, task, call)


def test_listed_columns_are_those_of_the_function(database: Database) -> None:
    for task in COLUMNS:
        _read(database, task, _rows_query(task))
    with psycopg.connect(database.superuser_url) as conn:
        (source,) = conn.execute("SELECT prosrc FROM pg_proc WHERE proname = 'job_rows'").fetchone() or ("",)
    assert set(re.findall(r"WHEN '([\w:]+)'", source)) == COLUMNS.keys()


@pytest.mark.parametrize("case", CONTACT_CASES, ids=lambda case: case.task)
def test_contacts_are_those_of_the_named_row(database: Database, case: JobCase) -> None:
    with psycopg.connect(database.service_url) as conn:
        own, foreign = case.seed(conn)
        own_emails = {email for (email,) in conn.execute("SELECT email FROM users")}
        case.seed(conn)  # another tenant or user with a row of this kind
    of_tenant = "tenant_id" in own
    found = _read(database, case.task, CONTACTS, **_split(own))
    assert found
    assert {email for _part, email in found} <= own_emails
    # A job of another user learns nothing of the row; that of another tenant only of the owner of that tenant.
    assert set(_read(database, case.task, CONTACTS, **_split(foreign))).isdisjoint(found)
    if not of_tenant:
        assert _read(database, case.task, CONTACTS, **_split(foreign)) == []
    assert _read(database, case.task, CONTACTS) == []  # no owner
    names = {name: str(new_id()) if name.endswith("_id") else value for name, value in own.items()}
    assert _read(database, case.task, CONTACTS, **_split(names)) == []
    # The settings of the transaction say nothing: a job that acts for another user has the same contacts.
    with running_job(database, case.task, **_split(own)) as job:
        with job.for_user(new_id()).transaction() as conn:
            assert [tuple(row) for row in conn.execute(CONTACTS)] == found


def test_contacts_of_suspended_account_are_withheld(database: Database) -> None:
    (case,) = (case for case in ANGELS if case.task == "angels:notify_owner")
    with psycopg.connect(database.service_url) as conn:
        own, _ = case.seed(conn)
        conn.execute(
            "UPDATE users SET status = 'suspended', suspended_at = app.now() WHERE user_id = ("
            " SELECT n.user_id FROM need_offers o JOIN needs n ON n.id = o.need_id WHERE o.id = %s)",
            [own["offer_id"]],
        )
    assert [part for part, _ in _read(database, case.task, CONTACTS, **_split(own))] == ["angel"]


def test_ring_contacts_are_its_members_with_verified_address(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        users = [seed_user(conn) for _ in range(4)]
        conn.execute("UPDATE users SET email = 'm' || left(user_id::text, 8) || '@mail.example', email_verified = true")
        conn.execute("UPDATE users SET email_verified = false WHERE user_id = %s", [users[1]])
        rings = new_id(), new_id()
        for ring_id, members in zip(rings, (users[:3], users[1:]), strict=True):
            insert_row(conn, "swap_rings", {"id": ring_id, "digest": ring_id.bytes, "availability_bits": 1})
            for place, user_id in enumerate(members):
                row = {"user_id": user_id, "ring_id": ring_id, "place": place, "teaches": "Bread"}
                insert_row(conn, "swap_ring_members", row)
    task, query = "matches:notify_members", "SELECT user_id, email <> '' FROM app.job_contacts()"
    found = _read(database, task, query, ring_id=str(rings[0]))
    assert found == [(users[0], True), (users[1], False), (users[2], True)]
    assert _read(database, task, query, ring_id=str(new_id())) == _read(database, task, query) == []


def test_job_enqueues_only_what_its_task_decides(database: Database) -> None:
    call = "SELECT app.enqueue_task(%s, '{}', false)"
    user_id, tenant_id = new_id(), new_id()
    followed = {
        ("documents:process_expiry", "documents:notify_expired"),
        ("documents:process_expiry", "documents:send_expiry_reminder"),
        ("leads:notify_guru", "leads:send_digest"),
    }
    running = {task for task, _next in followed} | {"plans:apply_due_plans"}
    for task in running:
        for following in {next_task for _task, next_task in followed}:
            with running_job(database, task, tenant_id=tenant_id) as job:
                with job.for_user(user_id).transaction() as conn:
                    try:
                        conn.execute(call, [following])
                    except psycopg.errors.InsufficientPrivilege:
                        assert (task, following) not in followed
                    else:
                        assert (task, following) in followed
                    conn.rollback()
    with running_job(database, "leads:notify_guru", tenant_id=tenant_id) as job, job.transaction() as conn:
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(new_id())])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(call, ["leads:send_digest"])
