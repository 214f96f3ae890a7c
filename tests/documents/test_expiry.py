"""Documents come to an end: three reminders, never twice, and then they count no more."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from porchlight.documents.expiry import DAYS, mind
from tenants.kit.ids import new_id
from tenants.kit.jobs import see_queue
from tests.documents.people import Guru, mails_to, run_jobs
from tests.platform_.world import insert
from tests.support.databases import Database

END = date(2031, 5, 1)


def approved(conn: psycopg.Connection[Any], guru: Guru, ends: date | None = END, **columns: Any) -> UUID:
    """Write an approved license."""
    made = new_id()
    row = {"user_id": guru.user_id, "id": made, "type": "license", "category": "electrical", "status": "approved"}
    insert(conn, "documents", row | {"expires_on": ends} | columns)
    return made


def state(conn: psycopg.Connection[Any], paper: UUID) -> str:
    row = conn.execute("SELECT status FROM documents WHERE id = %s", [paper]).fetchone()
    assert row is not None
    return str(row[0])


def standing(conn: psycopg.Connection[Any], guru: Guru, today: date) -> list[tuple[Any, ...]]:
    """What the requirements engine hears."""
    query = "SELECT category, type, approved, pending, good_until FROM app.documents_standing(%s, %s) ORDER BY 1, 2"
    return conn.execute(query, [guru.user_id, today]).fetchall()


async def test_a_document_is_reminded_of_three_times_and_ends(
    app: Porchlight, ada: Guru, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    paper = approved(overseer, ada)
    day = END - timedelta(days=40)
    while day <= END + timedelta(days=2):
        mind(database.overseer_url, day)
        mind(database.overseer_url, day)
        day += timedelta(days=1)
    await run_jobs(database, app)
    # The mails are written when the worker comes to them: by then the document has ended, and says only that.
    assert [subject for subject, _ in mails_to(overseer, ada.email)] == ["Your license for Electrical has ended"]
    events = overseer.execute(
        "SELECT kind, note FROM document_events WHERE document_id = %s ORDER BY at, id", [paper]
    ).fetchall()
    assert events == [("reminded", "30 days"), ("reminded", "7 days"), ("reminded", "1 days"), ("lapsed", "")]
    assert state(overseer, paper) == "lapsed"
    jobs = overseer.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = 'documents_changed'"
        " AND args ->> 'user_id' = %s",
        [str(ada.user_id)],
    ).fetchone()
    assert jobs is not None
    assert jobs[0] > 0


async def test_each_reminder_says_the_day_and_is_mailed_once(
    app: Porchlight, ada: Guru, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    approved(overseer, ada)
    for days in (31, 30, 29, 7, 6, 1, 0):
        mind(database.overseer_url, END - timedelta(days=days))
        await run_jobs(database, app)
        with psycopg.connect(database.overseer_url) as conn:  # a worker died after the work and before its mark
            see_queue(conn)
            conn.execute("UPDATE procrastinate_jobs SET status = 'todo' WHERE task_name = 'remind_of_expiry'")
        await run_jobs(database, app)
    mails = mails_to(overseer, ada.email)
    assert [subject for subject, _ in mails] == ["Your license for Electrical ends on May 1, 2031"] * 3
    assert "a category that needs it is taken off your site when it ends" in mails[0][1]


def test_after_days_of_silence_only_the_latest_word_is_said(
    ada: Guru, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    paper = approved(overseer, ada)
    assert mind(database.overseer_url, END - timedelta(days=1))[0] == 1
    assert mind(database.overseer_url, END) == (0, 0)
    rows = overseer.execute("SELECT days FROM document_reminders WHERE document_id = %s", [paper]).fetchall()
    assert rows == [(1,)]


def test_a_newer_document_makes_reminders_needless(
    ada: Guru, ben: Guru, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    approved(overseer, ada)
    approved(overseer, ada, END + timedelta(days=365))
    approved(overseer, ben)
    approved(overseer, ben, END + timedelta(days=365), category="")  # for another category
    assert mind(database.overseer_url, END - timedelta(days=7))[0] == 1
    # A better one that was rejected helps nobody.
    overseer.execute(
        "UPDATE documents SET status = 'rejected' WHERE user_id = %s AND expires_on > %s", [ada.user_id, END]
    )
    assert mind(database.overseer_url, END - timedelta(days=7))[0] == 1


def test_what_counts_today(ada: Guru, ben: Guru, database: Database, overseer: psycopg.Connection[Any]) -> None:
    approved(overseer, ada)
    approved(overseer, ada, None, type="insurance", category="")
    approved(overseer, ada, type="auto", status="pending")
    approved(overseer, ada, type="cert", status="rejected")
    wanted = [
        ("", "insurance", True, False, None),
        ("electrical", "auto", False, True, None),
        ("electrical", "cert", False, False, None),
        ("electrical", "license", True, False, END),
    ]
    assert standing(overseer, ada, END) == wanted
    after = standing(overseer, ada, END + timedelta(days=1))
    assert [row[2:4] for row in after] == [(True, False), (False, False), (False, False), (False, False)]
    assert standing(overseer, ben, END) == []
    # As the app role, whose documents one cannot see, one still learns how they stand, and no more.
    with psycopg.connect(database.app_url) as conn:
        assert standing(conn, ada, END) == wanted
        assert conn.execute("SELECT count(*) FROM documents").fetchone() == (0,)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(looks=st.lists(st.integers(-3, 45), max_size=12))
def test_however_often_and_late_the_worker_looks(
    ada: Guru, database: Database, overseer: psycopg.Connection[Any], looks: list[int]
) -> None:
    overseer.execute("DELETE FROM documents WHERE user_id = %s", [ada.user_id])
    paper = approved(overseer, ada)
    for days in sorted(looks, reverse=True):
        mind(database.overseer_url, END - timedelta(days=days))
    rows = overseer.execute("SELECT days FROM document_reminders WHERE document_id = %s", [paper]).fetchall()
    within = {next(step for step in sorted(DAYS) if step >= days) for days in looks if 0 <= days <= 30}
    assert {row[0] for row in rows} == within
    assert state(overseer, paper) == ("lapsed" if any(days < 0 for days in looks) else "approved")


@pytest.fixture(autouse=True)
def _alone(overseer: psycopg.Connection[Any]) -> None:
    overseer.execute("DELETE FROM documents")
