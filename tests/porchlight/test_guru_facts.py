"""The facts about a guru that visitors weigh: the worker counts them, and each site shows its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.angels.rules import MIN_ANSWERS
from porchlight.features.bookings import commands, store
from porchlight.worker.guru_facts import count_guru_facts
from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.porchlight.angels.job_cases import seed_need
from tests.porchlight.app_client import http_client, run_app
from tests.porchlight.factories import SeededGuru, insert_row, seed_booking, seed_guru, seed_lead, seed_user

UNKNOWN = {"answerMinutes": None, "sessions": 0, "review": None}
NOW = INSTANT
Connection = psycopg.Connection[Any]


@pytest.fixture
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    """Two gurus without leads."""
    with psycopg.connect(database.service_url) as conn:
        both = [seed_guru(conn, f"g{new_id().hex[-12:]}", posts=1) for _ in range(2)]
        for guru in both:
            conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
    return both[0], both[1]


@pytest.fixture
async def web(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with run_app(database, page_cache="off") as app, http_client(app, "porchlight.localhost") as client:
        yield client


async def facts(database: Database, web: httpx.AsyncClient, guru: SeededGuru) -> dict[str, Any]:
    """Count the facts and return those that the guru's site shows."""
    count_guru_facts(database.service_url)
    response = await web.get(f"/api/gurus/{guru.label}/home", headers={"host": guru.host})
    assert response.status_code == 200, response.text
    shown: dict[str, Any] = response.json()["facts"]
    return shown


def lead(conn: Connection, guru: SeededGuru, *, days_ago: float, minutes: float | None, **columns: Any) -> None:
    """Create a lead that was answered after some minutes, twice, or not at all."""
    asked = NOW - timedelta(days=days_ago)
    lead_id = seed_lead(conn, guru, str(new_id()), created_at=asked, **columns)
    for later in () if minutes is None else (minutes, minutes + 1000):
        reply = {"id": new_id(), "lead_id": lead_id, "body": "Yes", "idempotency_key": str(new_id())}
        insert_row(conn, "lead_replies", {"tenant_id": guru.id, "created_at": asked + timedelta(minutes=later)} | reply)


def request(conn: Connection, guru: SeededGuru, *, days_ago: float, minutes: float, **columns: Any) -> None:
    """Create a booking request that the guru accepted after some minutes."""
    asked = NOW - timedelta(days=days_ago)
    row: dict[str, Any] = {
        "status": "requested",
        "approval": "request",
        "expires_at": NOW + timedelta(days=1),
        "created_at": asked,
    }
    booking = seed_booking(conn, guru, seed_user(conn), **row, **columns)
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
    store.run_on(conn, store.FactsQuery(ids=[booking]), commands.AnswerRequest(id=booking, accept=True))
    conn.execute("SELECT set_config('app.tenant_id', '', true)")
    for event, at in (("requested", asked), ("confirmed", asked + timedelta(minutes=minutes))):
        conn.execute("UPDATE booking_events SET at = %s WHERE booking_id = %s AND event = %s", [at, booking, event])


async def test_answer_time_is_the_median_of_leads_and_requests(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, other = gurus
    with psycopg.connect(database.service_url) as conn:
        for minutes in (10, 20, 30.5):
            lead(conn, guru, days_ago=9, minutes=minutes)
        request(conn, guru, days_ago=8, minutes=400, days_ahead=3)
        series = new_id()
        for number in (4, 5):  # the guru answers a series at once: it is one request
            request(conn, guru, days_ago=7, minutes=600, days_ahead=number, series_id=series)
        lead(conn, guru, days_ago=91, minutes=1)
    assert await facts(database, web, guru) == UNKNOWN | {"answerMinutes": 31}
    assert await facts(database, web, other) == UNKNOWN


async def test_answer_time_with_few_answers_is_unknown(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, _ = gurus
    with psycopg.connect(database.service_url) as conn:
        for _ in range(MIN_ANSWERS - 1):
            lead(conn, guru, days_ago=2, minutes=10)
    assert await facts(database, web, guru) == UNKNOWN
    with psycopg.connect(database.service_url) as conn:
        lead(conn, guru, days_ago=2, minutes=10)
    assert (await facts(database, web, guru))["answerMinutes"] == 10


async def test_answer_time_of_unanswered_leads_is_unknown(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, _ = gurus
    with psycopg.connect(database.service_url) as conn:
        for _ in range(MIN_ANSWERS):
            lead(conn, guru, days_ago=3, minutes=10)
            lead(conn, guru, days_ago=3, minutes=None)
        for status in ("archived", "answered"):  # spam, and an answer by telephone
            lead(conn, guru, days_ago=3, minutes=None, status=status)
        lead(conn, guru, days_ago=0.5, minutes=None)
    assert (await facts(database, web, guru))["answerMinutes"] == 10
    with psycopg.connect(database.service_url) as conn:
        lead(conn, guru, days_ago=1.5, minutes=None, status="read")
    assert await facts(database, web, guru) == UNKNOWN


async def test_sessions_are_counted_once_and_only_when_done(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, other = gurus
    with psycopg.connect(database.service_url) as conn:
        seat = seed_booking(conn, guru, seed_user(conn), days_ahead=-4, party=2, status="completed")
        row = conn.execute("SELECT appointment_id FROM bookings WHERE id = %s", [seat]).fetchone()
        second = seed_booking(conn, guru, seed_user(conn), days_ahead=-3, status="completed")
        assert row is not None
        conn.execute("UPDATE appointments SET capacity = 3 WHERE id = %s", [row[0]])
        conn.execute("UPDATE bookings SET appointment_id = %s WHERE id = %s", [row[0], second])
        seed_booking(conn, guru, seed_user(conn), days_ahead=-2, status="completed")
        seed_booking(conn, guru, seed_user(conn), days_ahead=-1, status="missed")
    assert await facts(database, web, guru) == UNKNOWN | {"sessions": 2}
    assert await facts(database, web, other) == UNKNOWN


async def test_newest_review_of_public_owner_is_shown(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, other = gurus
    with psycopg.connect(database.service_url) as conn:
        owner = seed_user(conn)
        handle = f"owner-{guru.label}"
        conn.execute("DELETE FROM memberships WHERE tenant_id = %s", [guru.id])
        conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, owner])
        row = {"user_id": owner, "handle": handle, "registered_at": NOW, "is_public": True}
        insert_row(conn, "profiles", row)
        for days_ago, words in ((3, "Older."), (2, "Straight as a ruler."), (1, "")):
            done = {"status": "done", "accepted_offer_id": new_id(), "accepted_user_id": owner, "rating": 5}
            seed_need(conn, **done, review=words, updated_at=NOW - timedelta(days=days_ago))
    shown = {"words": "Straight as a ruler.", "rating": 5, "service": "Handyman Services", "handle": handle}
    assert await facts(database, web, guru) == UNKNOWN | {"review": shown}
    assert await facts(database, web, other) == UNKNOWN
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET is_public = false WHERE user_id = %s", [owner])
    assert await facts(database, web, guru) == UNKNOWN


async def test_facts_that_stay_leave_pages_cached(
    database: Database, web: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru, _ = gurus
    with psycopg.connect(database.service_url, autocommit=True) as conn:

        def version() -> Any:
            return conn.execute("SELECT content_version FROM gurus WHERE id = %s", [guru.id]).fetchone()

        before = version()
        seed_booking(conn, guru, seed_user(conn), days_ahead=-4, status="completed")
        await facts(database, web, guru)
        counted = version()
        await facts(database, web, guru)
        assert before < counted == version()


def test_facts_of_another_guru_cannot_be_read(database: Database, gurus: tuple[SeededGuru, SeededGuru]) -> None:
    guru, _ = gurus
    with psycopg.connect(database.app_url) as conn:
        assert conn.execute("SELECT FROM guru_facts").fetchall() == []
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
        assert conn.execute("SELECT tenant_id FROM guru_facts").fetchall() == [(guru.id,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("UPDATE guru_facts SET sessions = 99 WHERE tenant_id = %s", [guru.id])
