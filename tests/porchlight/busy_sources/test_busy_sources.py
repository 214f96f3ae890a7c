"""Connected calendars in the console: what visitors, the guru and others see of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.busy_sources.jobs import READ_EVERY_SECONDS, READ_SPREAD_SECONDS, queue_due
from sites.hours.busy_sources import SourceState
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import service_job
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.busy_sources.calendar_files import calendar_file
from tests.porchlight.busy_sources.connected import connect, read_sources, serve
from tests.porchlight.busy_sources.web_server import WebServer
from tests.porchlight.hours.calendar_calls import local, starts, utc, why
from tests.porchlight.owner import GuruOwner
from tests.porchlight.plans.grants import end_plans, grant_plan
from tests.tenants.isolation import set_tenant

NOON = local(7, 12)


@pytest.fixture
async def work(
    open_rosa: GuruOwner, calendar_web: WebServer, service_db: psycopg.Connection[Any], database: Database
) -> AsyncIterator[str]:
    """The address of a calendar that is busy from 12 to 2 PM of a weekday; no calendar is connected."""
    service_db.execute("DELETE FROM busy_sources")
    grant_plan(database, open_rosa.guru.owner)
    yield serve(calendar_web, busy_file(NOON, 2))
    service_db.execute("DELETE FROM busy_sources")


def busy_file(start: datetime, hours: int) -> bytes:
    times = [moment.strftime("%Y%m%dT%H%M%S") for moment in (start, start + timedelta(hours=hours))]
    return calendar_file(
        f"SUMMARY:Dentist | DTSTART;TZID=America/Denver:{times[0]} | DTEND;TZID=America/Denver:{times[1]}"
    )


async def test_busy_time_is_not_offered_until_removed(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str
) -> None:
    before = await starts(app, open_rosa)
    (source,) = (await connect(open_rosa, work))["sources"]
    assert (source["name"], source["host"], source["state"]) == ("Work", "127.0.0.1", "new")
    await read_sources(database, calendar_web)
    (source,) = (await open_rosa.call("GET", "/busy-sources"))["sources"]
    assert source["state"] == "good"
    gone = {utc(NOON + timedelta(minutes=minutes)) for minutes in (-30, 0, 30, 60, 90)}
    assert set(before) - set(await starts(app, open_rosa)) == gone
    answer = await why(open_rosa, utc(NOON))
    assert answer == {
        "offered": False,
        "reason": "busy_elsewhere",
        "sentence": "Busy in ‘Work’: a session at 12:00 PM would overlap that.",
    }
    week = await open_rosa.call("GET", "/bookings/week", params={"from": NOON.date().isoformat()})
    assert week["busy"] == [{"calendar": "Work", "startsAt": utc(NOON), "endsAt": utc(NOON + timedelta(hours=2))}]
    assert (await open_rosa.call("DELETE", f"/busy-sources/{source['id']}"))["sources"] == []
    assert await starts(app, open_rosa) == before
    await open_rosa.call("DELETE", f"/busy-sources/{source['id']}", expect=404)


async def test_hold_of_a_busy_time_is_refused(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str
) -> None:
    await connect(open_rosa, work)
    await read_sources(database, calendar_web)
    path = f"/api/gurus/{open_rosa.guru.label}/holds"
    body = {"serviceId": str(open_rosa.guru.services[0]), "startsAt": utc(NOON), "party": 1}
    async with http_client(app, BASE_HOST) as visitor:
        response = await visitor.post(path, json=body)
        assert (response.status_code, response.json()["error"]["code"]) == (409, "slot_taken")
        response = await visitor.post(path, json=body | {"startsAt": utc(NOON + timedelta(hours=2))})
        assert response.status_code == 201, response.text


async def test_guru_confirms_a_customer_at_a_busy_time(
    open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str
) -> None:
    await connect(open_rosa, work)
    await read_sources(database, calendar_web)
    body: dict[str, Any] = {
        "serviceId": str(open_rosa.guru.services[0]), "startsAt": utc(NOON), "party": 1, "name": "Cora",
        "email": "", "participants": [],
    }  # fmt: skip
    headers = {"idempotency-key": "cora"}
    error = await open_rosa.call("POST", "/bookings", body, expect=409, headers=headers)
    assert error["fields"] == {"busy_elsewhere": "One of your connected calendars has something then."}
    body["confirmed"] = ["busy_elsewhere"]
    await open_rosa.call("POST", "/bookings", body, expect=201, headers=headers)


async def test_source_that_fails_keeps_its_last_times(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str,
    service_db: psycopg.Connection[Any],
) -> None:  # fmt: skip
    (source,) = (await connect(open_rosa, work))["sources"]
    await read_sources(database, calendar_web)
    offered = await starts(app, open_rosa)
    for content, status, reason in (
        (b"", 500, "did not answer"),
        (b"", 404, "no calendar at this address any more"),
        (b"<html>", 200, "not a calendar"),
    ):
        serve(calendar_web, content, status=status)
        await open_rosa.call("POST", f"/busy-sources/{source['id']}/reading", expect=202)
        await read_sources(database, calendar_web)
        (shown,) = (await open_rosa.call("GET", "/busy-sources"))["sources"]
        assert shown["state"] == "failing"
        assert reason in shown["reason"]
        assert await starts(app, open_rosa) == offered
    serve(calendar_web, busy_file(NOON, 2))
    await open_rosa.call("POST", f"/busy-sources/{source['id']}/reading", expect=202)
    await read_sources(database, calendar_web)
    (shown,) = (await open_rosa.call("GET", "/busy-sources"))["sources"]
    assert (shown["state"], shown["reason"], shown["failingSince"]) == ("good", "", None)


async def test_guru_hears_of_a_failure_and_decides(
    open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str, service_db: psycopg.Connection[Any]
) -> None:
    (source,) = (await connect(open_rosa, work))["sources"]
    await read_sources(database, calendar_web)
    serve(calendar_web, b"", status=500)
    subjects: list[list[str]] = []
    for age in ("23 hours", "25 hours", "26 hours", "15 days"):
        service_db.execute(f"UPDATE busy_sources SET failing_since = app.now() - interval '{age}'".encode())
        await open_rosa.call("POST", f"/busy-sources/{source['id']}/reading", expect=202)
        await read_sources(database, calendar_web)
        found = service_db.execute(
            "SELECT subject FROM dev_mailbox WHERE subject LIKE '%%“Work”%%' ORDER BY id"
        ).fetchall()
        subjects.append([subject for (subject,) in found])
    assert [len(found) for found in subjects] == [0, 1, 1, 2]
    (shown,) = (await open_rosa.call("GET", "/busy-sources"))["sources"]
    assert shown["state"] == "decide"
    (kept,) = (await open_rosa.call("POST", f"/busy-sources/{source['id']}/decision"))["sources"]
    assert kept["state"] == "failing"


@pytest.mark.parametrize(
    ("failing_days", "notices", "kept_days", "due"),
    [
        (0.9, 0, None, 0),
        (1, 0, None, 1),
        (13, 1, None, 0),
        (14, 1, None, 2),
        (20, 2, None, 0),
        (20, 1, 3, 0),
        (30, 1, 14, 2),
    ],
)
def test_notice_is_due_after_a_day_and_two_weeks(
    failing_days: float, notices: int, kept_days: float | None, due: int
) -> None:
    now = clock.now()
    kept_at = None if kept_days is None else now - timedelta(days=kept_days)
    state = SourceState("Work", now - timedelta(days=failing_days), None, notices, kept_at)
    assert state.due_notice(now) == due


async def test_secret_is_encrypted_and_never_returned(
    open_rosa: GuruOwner, work: str, service_db: psycopg.Connection[Any]
) -> None:
    listed = await connect(open_rosa, work, user="rosa", password="app-password-1")
    assert "app-password-1" not in str(listed)
    assert "/work.ics" not in str(listed)
    rows = service_db.execute("SELECT * FROM busy_sources").fetchall()
    assert b"app-password-1" not in repr(rows).encode()
    assert "work.ics" not in repr(rows)


async def test_address_that_cannot_be_read_says_why(open_rosa: GuruOwner, calendar_web: WebServer, work: str) -> None:
    for url, field, words in (
        ("https://127.0.0.1/a.ics", "url", "not on the public internet"),
        ("ftp://example.com/a.ics", "url", "starts with https"),
        (serve(calendar_web, b"<html>", path="/page"), "url", "not a calendar"),
        (serve(calendar_web, b"", status=401, path="/locked"), "password", "app password"),
    ):
        error = await connect(open_rosa, url, expect=422)
        assert words in error["fields"][field]
    assert (await open_rosa.call("GET", "/busy-sources"))["sources"] == []


async def test_sixth_calendar_is_refused_and_resend_is_not(open_rosa: GuruOwner, work: str) -> None:
    for number in range(5):
        for _ in range(2):
            listed = await connect(open_rosa, work, name=f"Calendar {number}", key=f"key-{number}")
            assert len(listed["sources"]) == number + 1
    error = await connect(open_rosa, work, expect=409)
    assert error["code"] == "too_many_calendars"


async def test_plan_decides_whether_calendars_count(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str
) -> None:
    assert open_rosa.guru.owner is not None
    before = await starts(app, open_rosa)
    (source,) = (await connect(open_rosa, work))["sources"]
    await read_sources(database, calendar_web)
    await open_rosa.call("POST", f"/busy-sources/{source['id']}/reading", expect=202)
    end_plans(database, open_rosa.guru.owner)
    await read_sources(database, calendar_web)
    listed = await open_rosa.call("GET", "/busy-sources")
    assert (listed["isIncluded"], listed["sources"][0]["state"]) == (False, "paused")
    assert await starts(app, open_rosa) == before
    assert (await connect(open_rosa, work, expect=402))["feature"] == "calendar_feed"


async def test_all_day_setting_is_read_again(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str
) -> None:
    serve(calendar_web, calendar_file(f"DTSTART;VALUE=DATE:{NOON:%Y%m%d}"))
    before = await starts(app, open_rosa, on=NOON.date())
    (source,) = (await connect(open_rosa, work))["sources"]
    await read_sources(database, calendar_web)
    assert await starts(app, open_rosa, on=NOON.date()) == []
    await open_rosa.call("PATCH", f"/busy-sources/{source['id']}", {"name": "Family", "allDayBlocks": False})
    await read_sources(database, calendar_web)
    assert await starts(app, open_rosa, on=NOON.date()) == before


async def test_reading_without_news_keeps_the_version(
    open_rosa: GuruOwner, database: Database, calendar_web: WebServer, work: str, service_db: psycopg.Connection[Any]
) -> None:
    def version() -> int:
        row = service_db.execute("SELECT version FROM calendars WHERE tenant_id = %s", [open_rosa.guru.id]).fetchone()
        assert row is not None
        return int(row[0])

    (source,) = (await connect(open_rosa, work))["sources"]
    before = version()
    await read_sources(database, calendar_web)
    read = version()
    assert read > before
    await open_rosa.call("POST", f"/busy-sources/{source['id']}/reading", expect=202)
    await read_sources(database, calendar_web)
    assert version() == read


async def test_due_source_is_queued_every_quarter_hour(
    open_rosa: GuruOwner, database: Database, work: str, service_db: psycopg.Connection[Any]
) -> None:
    (source,) = (await connect(open_rosa, work))["sources"]
    for _ in range(2):
        queue_due(service_job(database))
    (count,) = service_db.execute(
        "SELECT count(*) FROM jobs.procrastinate_jobs"
        " WHERE task_name = 'busy_sources:read' AND status = 'todo' AND args ->> 'source_id' = %s",
        [source["id"]],
    ).fetchone() or (0,)
    assert count == 2  # the first reading of a new calendar, and the one that is due
    (due,) = service_db.execute("SELECT read_due_at FROM busy_sources").fetchone() or (clock.now(),)
    assert abs((due - clock.now()).total_seconds() - READ_EVERY_SECONDS) <= READ_SPREAD_SECONDS + 60


async def test_other_gurus_and_visitors_see_no_source(
    app: Porchlight, open_rosa: GuruOwner, theo: GuruOwner, database: Database, work: str
) -> None:
    (source,) = (await connect(open_rosa, work))["sources"]
    assert (await theo.call("GET", "/busy-sources"))["sources"] == []
    for method, path in (("DELETE", ""), ("PATCH", ""), ("POST", "/reading"), ("POST", "/decision")):
        body: dict[str, str] | None = {} if method == "PATCH" else None
        await theo.call(method, f"/busy-sources/{source['id']}{path}", body, expect=404)
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, open_rosa.guru.id)  # as every visitor of the site
        assert conn.execute("SELECT count(*) FROM busy_sources").fetchone() == (0,)
        assert conn.execute("UPDATE busy_sources SET name = 'x'").rowcount == 0
        set_tenant(conn, theo.guru.id)
        assert conn.execute("SELECT count(*) FROM busy_times").fetchone() == (0,)
