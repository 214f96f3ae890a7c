"""Expiry of documents: three reminders, each sent once, then the document expires."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from porchlight.features.documents.expiry import PROCESS_EXPIRY_TASK, REMINDER_DAYS, process_document_expiry
from tenants.db.jobs import use_jobs_schema
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import running_job
from tests.porchlight.documents.users import GuruUser, emails_to, run_jobs
from tests.porchlight.factories import insert_row

EXPIRES_ON = date(2031, 5, 1)


def create_approved_document(
    conn: psycopg.Connection[Any], guru: GuruUser, ends: date | None = EXPIRES_ON, **columns: Any
) -> UUID:
    """Create an approved license."""
    created = new_id()
    row = {"user_id": guru.user_id, "id": created, "type": "license", "category": "electrical", "status": "approved"}
    row |= {"file_url": "https://files.example/paper.pdf", "expires_on": ends}
    insert_row(conn, "documents", row | columns)
    return created


def document_status(conn: psycopg.Connection[Any], document: UUID) -> str:
    row = conn.execute("SELECT status FROM documents WHERE id = %s", [document]).fetchone()
    assert row is not None
    return str(row[0])


def electrical_status(conn: psycopg.Connection[Any], guru: GuruUser, today: date) -> tuple[str, str, bool, date | None]:
    """Return the states of license and insurance on a day, whether both are approved, and until when."""
    query = """
        SELECT documents ->> 'license', documents ->> 'insurance', approved, good_until
          FROM app.category_status(%s, '{electrical}')"""
    offset = "(current_setting('porchlight.clock_offset')::interval + (%s::timestamptz - app.now()))::text"
    noon = f"SELECT set_config('porchlight.clock_offset', {offset}, true)".encode()
    with conn.transaction():
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(guru.user_id)])
        conn.execute(noon, [f"{today} 12:00+00"])
        found: tuple[str, str, bool, date | None] | None = conn.execute(query, [guru.user_id]).fetchone()
    assert found is not None
    return found


def process_expiry(database: Database, day: date) -> tuple[int, int]:
    """Run the job's function as of a day. Return the number of reminders and of expired documents."""
    with running_job(database, PROCESS_EXPIRY_TASK) as job:
        return process_document_expiry(job, day)


async def test_document_gets_three_reminders_and_expires(
    app: Porchlight, ada: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    document = create_approved_document(service_db, ada)
    day = EXPIRES_ON - timedelta(days=40)
    while day <= EXPIRES_ON + timedelta(days=2):
        process_expiry(database, day)
        process_expiry(database, day)
        day += timedelta(days=1)
    await run_jobs(database, app)
    # Emails are rendered when the job runs. By then the document has expired, so only that email is sent.
    assert [subject for subject, _ in emails_to(service_db, ada.email)] == ["Your license for Electrical has expired"]
    events = service_db.execute(
        "SELECT kind, note FROM document_events WHERE document_id = %s ORDER BY at, id", [document]
    ).fetchall()
    assert events == [("reminded", "30 days"), ("reminded", "7 days"), ("reminded", "1 days"), ("lapsed", "")]
    assert document_status(service_db, document) == "lapsed"
    jobs = service_db.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'onboarding:update_listed_categories'"
        " AND args ->> 'user_id' = %s",
        [str(ada.user_id)],
    ).fetchone()
    assert jobs is not None
    assert jobs[0] > 0


async def test_reminder_names_date_and_is_emailed_once(
    app: Porchlight, ada: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    create_approved_document(service_db, ada)
    for days in (31, 30, 29, 7, 6, 1, 0):
        process_expiry(database, EXPIRES_ON - timedelta(days=days))
        await run_jobs(database, app)
        with psycopg.connect(database.service_url) as conn:  # a worker may be killed between sending and recording
            use_jobs_schema(conn)
            conn.execute(
                "UPDATE procrastinate_jobs SET status = 'todo' WHERE task_name = 'documents:send_expiry_reminder'"
            )
        await run_jobs(database, app)
    mails = emails_to(service_db, ada.email)
    assert [subject for subject, _ in mails] == ["Your license for Electrical expires on May 1, 2031"] * 3
    assert "Categories that need it will be removed from your site when it expires." in mails[0][1]


def test_late_run_sends_latest_reminder_only(
    ada: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    document = create_approved_document(service_db, ada)
    assert process_expiry(database, EXPIRES_ON - timedelta(days=1))[0] == 1
    assert process_expiry(database, EXPIRES_ON) == (0, 0)
    rows = service_db.execute("SELECT days FROM document_reminders WHERE document_id = %s", [document]).fetchall()
    assert rows == [(1,)]


def test_newer_document_suppresses_reminders(
    ada: GuruUser, ben: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    create_approved_document(service_db, ada)
    create_approved_document(service_db, ada, EXPIRES_ON + timedelta(days=365))
    create_approved_document(service_db, ben)
    create_approved_document(service_db, ben, EXPIRES_ON + timedelta(days=365), category="")  # in another category
    assert process_expiry(database, EXPIRES_ON - timedelta(days=7))[0] == 1
    # A rejected newer document does not suppress reminders.
    service_db.execute(
        "UPDATE documents SET status = 'rejected' WHERE user_id = %s AND expires_on > %s", [ada.user_id, EXPIRES_ON]
    )
    assert process_expiry(database, EXPIRES_ON - timedelta(days=7))[0] == 1


def test_document_status_depends_on_date(
    ada: GuruUser, ben: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    create_approved_document(service_db, ada)
    create_approved_document(service_db, ada, None, type="insurance", category="")
    create_approved_document(service_db, ben, status="pending")
    create_approved_document(service_db, ben, type="insurance", status="rejected")
    next_day = EXPIRES_ON + timedelta(days=1)
    for dsn in (database.service_url, database.app_url):
        with psycopg.connect(dsn) as conn:
            assert electrical_status(conn, ada, EXPIRES_ON) == ("approved", "approved", True, EXPIRES_ON)
            assert electrical_status(conn, ada, next_day) == ("void", "approved", False, None)
            assert electrical_status(conn, ben, EXPIRES_ON) == ("pending", "void", False, None)
            assert electrical_status(conn, ben, next_day) == ("void", "void", False, None)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(days_before=st.lists(st.integers(-3, 45), max_size=12))
def test_random_expiry_runs_send_each_reminder_once(
    ada: GuruUser, database: Database, service_db: psycopg.Connection[Any], days_before: list[int]
) -> None:
    service_db.execute("DELETE FROM documents WHERE user_id = %s", [ada.user_id])
    document = create_approved_document(service_db, ada)
    for days in sorted(days_before, reverse=True):
        process_expiry(database, EXPIRES_ON - timedelta(days=days))
    rows = service_db.execute("SELECT days FROM document_reminders WHERE document_id = %s", [document]).fetchall()
    within = {next(step for step in sorted(REMINDER_DAYS) if step >= days) for days in days_before if 0 <= days <= 30}
    assert {row[0] for row in rows} == within
    assert document_status(service_db, document) == ("lapsed" if any(days < 0 for days in days_before) else "approved")


@pytest.fixture(autouse=True)
def _no_other_documents(service_db: psycopg.Connection[Any]) -> None:
    service_db.execute("DELETE FROM documents")
