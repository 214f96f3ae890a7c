"""Sessions of all gurus for staff: the list, the details, and "Cancel for both"."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.bookings.admin_queries import SEARCH
from tenants.db import list_search
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.pagination import PAGE_SIZE
from tenants.kit.zones import local_time
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.admin.api_client import ADMIN_KEY
from tests.porchlight.admin.area import AdminArea, create_guru, create_token
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import SeededGuru, insert_row, seed_booking, seed_guru, seed_user


def unique_guru(area: AdminArea) -> SeededGuru:
    """Create a guru with a booking in a week."""
    return create_guru(area, f"g{new_id().hex[-12:]}")


def book(area: AdminArea, guru: SeededGuru, **columns: Any) -> UUID:
    """Create a booking of a new person with the guru."""
    with psycopg.connect(area.database.service_url) as conn:
        return seed_booking(conn, guru, seed_user(conn), **columns)


async def listed(area: AdminArea, **query: str) -> list[dict[str, Any]]:
    """Return all sessions of a list, page by page."""
    items: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        response = await area.web.get("/api/admin/sessions", params=query | {"cursor": cursor}, headers=area.staff)
        assert response.status_code == 200, response.text
        page = response.json()["data"]
        items, cursor = items + page["items"], page["nextCursor"]
    return items


async def ids(area: AdminArea, **query: str) -> set[str]:
    return {item["id"] for item in await listed(area, **query)}


async def detail(area: AdminArea, booking: UUID) -> dict[str, Any]:
    response = await area.web.get(f"/api/admin/sessions/{booking}", headers=area.staff)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def cancel(area: AdminArea, booking: UUID, reason: str = "The guru is ill") -> httpx.Response:
    path = f"/api/admin/sessions/{booking}/cancellation"
    return await area.web.post(path, json={"reason": reason}, headers=area.staff)


async def test_session_shows_who_booked_and_no_note(area: AdminArea) -> None:
    guru = unique_guru(area)
    confirmed = str(guru.booking)
    book(area, guru, days_ahead=8, status="held", expires_at=clock.now() + timedelta(minutes=9))
    [session] = await listed(area, guru=guru.label)
    assert session["id"] == confirmed
    assert set(session) == {
        "id", "guru", "guruName", "personName", "serviceName", "startsAt", "endsAt", "zone", "status", "party",
        "suspendedAt",
    }  # fmt: skip
    data = await detail(area, UUID(session["id"]))
    assert data["personName"] == session["personName"] != ""
    assert "Note" not in json.dumps(data)
    assert data["handle"] is None
    with psycopg.connect(area.database.service_url) as conn:
        row = conn.execute("SELECT person_id FROM bookings WHERE id = %s", [session["id"]]).fetchone()
        assert row is not None
        insert_row(conn, "profiles", {"user_id": row[0], "handle": f"neighbor-{row[0].hex[-12:]}"})
    assert (await detail(area, UUID(session["id"])))["handle"] == f"neighbor-{row[0].hex[-12:]}"


async def test_session_filters_combine(area: AdminArea) -> None:
    guru, other = unique_guru(area), unique_guru(area)
    assert guru.booking
    first = str(guru.booking)
    past = str(book(area, guru, days_ahead=-3, status="completed", service_name="Bread baking"))
    asked = str(book(area, guru, days_ahead=20, status="requested", expires_at=clock.now() + timedelta(hours=9)))
    assert await ids(area, guru=guru.label) == {first, past, asked}
    assert await ids(area, guru=guru.label.upper()[:12]) >= {first, past, asked}
    assert str(other.booking) not in await ids(area, guru=guru.label)
    assert await ids(area, guru=guru.label, status="requested") == {asked}
    assert await ids(area, guru=guru.label, search="bread") == {past}
    assert await ids(area, search=f"Guru {guru.mark}") == {first, past, asked}
    assert await ids(area, guru=guru.label, search="%") == set()
    today = clock.now().date()
    week = {"from": (today + timedelta(days=1)).isoformat(), "to": (today + timedelta(days=9)).isoformat()}
    assert await ids(area, guru=guru.label, **week) == {first}
    assert await ids(area, guru=guru.label, to=week["from"]) == {past}


@pytest.mark.parametrize(("zone", "hour"), [("Pacific/Kiritimati", 11), ("Etc/GMT+12", 11), ("UTC", 0), ("UTC", 23)])
async def test_session_days_are_those_of_the_guru(area: AdminArea, zone: str, hour: int) -> None:
    guru = unique_guru(area)
    booking = book(area, guru, days_ahead=30)
    start = datetime(2030, 5, 17, hour, 59, tzinfo=UTC)
    area.rows(
        "UPDATE bookings SET starts_at = %s, ends_at = %s, zone = %s WHERE id = %s",
        start, start + timedelta(hours=1), zone, booking,
    )  # fmt: skip
    area.rows(
        "UPDATE appointments a SET local_start = %s FROM bookings b WHERE b.id = %s AND a.id = b.appointment_id",
        local_time(start, zone), booking,
    )  # fmt: skip
    day = local_time(start, zone).date()
    for offset, expected in ((-1, False), (0, True), (1, False)):
        wanted = (day + timedelta(days=offset)).isoformat()
        found = await ids(area, guru=guru.label, **{"from": wanted, "to": wanted})
        assert (str(booking) in found) == expected, offset


async def test_session_list_has_cursor_pagination(area: AdminArea) -> None:
    guru = unique_guru(area)
    for day in range(PAGE_SIZE + 5):
        book(area, guru, days_ahead=100 + day)
    sessions = await listed(area, guru=guru.label)
    assert len({session["id"] for session in sessions}) == PAGE_SIZE + 6
    starts = [session["startsAt"] for session in sessions]
    assert starts == sorted(starts)


@pytest.mark.parametrize("query", ["cursor=x", "from=yesterday", "to=9999-12-31", "status=held", "site=active"])
async def test_session_list_with_bad_filter_is_rejected(area: AdminArea, query: str) -> None:
    response = await area.web.get(f"/api/admin/sessions?{query}", headers=area.staff)
    assert list(invalid_fields(response)) == [query.partition("=")[0]]


async def test_sessions_of_suspended_site_are_found(area: AdminArea) -> None:
    guru = unique_guru(area)
    book(area, guru, days_ahead=-2, status="completed")
    assert await ids(area, guru=guru.label, site="suspended") == set()
    path = f"/api/admin/sites/{guru.label}/suspension"
    assert (await area.web.post(path, json={"reason": "Fraud"}, headers=area.staff)).status_code == 200
    assert len(await ids(area, guru=guru.label, site="suspended")) == 2
    assert await ids(area, guru=guru.label, site="overdue") == set()
    assert all(session["suspendedAt"] for session in await listed(area, guru=guru.label))
    area.rows("UPDATE gurus SET suspended_at = app.now() - interval '73 hours' WHERE id = %s", guru.id)
    assert len(await ids(area, guru=guru.label, site="overdue")) == 1  # only the one ahead
    assert (await area.web.delete(path, headers=area.staff)).status_code == 200
    assert await ids(area, guru=guru.label, site="suspended") == set()
    assert area.rows("SELECT suspended_at FROM gurus WHERE id = %s", guru.id) == [(None,)]


async def test_cancel_for_both_frees_seats_and_is_audited(area: AdminArea) -> None:
    guru = unique_guru(area)
    area.rows("DELETE FROM bookings WHERE tenant_id = %s", guru.id)
    booking = book(area, guru, days_ahead=1, party=3)  # within the time of a late cancellation
    response = await cancel(area, booking, "  The guru is ill ")
    assert response.status_code == 200, response.text
    data = response.json()["data"]
    assert (data["status"], data["owedCents"], data["canCancel"]) == ("canceled", 0, False)
    assert data["history"][-1] | {"at": ""} == {
        "at": "", "actor": "staff", "event": "canceled", "reason": "The guru is ill", "owedCents": 0,
        "movedFrom": None, "movedTo": None,
    }  # fmt: skip
    assert area.rows("SELECT taken, live FROM appointments WHERE tenant_id = %s AND taken > 0", guru.id) == []
    assert area.rows("SELECT sequence, ended_by FROM bookings WHERE id = %s", booking) == [(1, "staff")]
    assert await area.audit_actions(str(booking)) == ["session.cancel"]
    again = await cancel(area, booking)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "booking_changed")
    assert await area.audit_actions(str(booking)) == ["session.cancel"]


@pytest.mark.parametrize(
    ("columns", "refused"),
    [
        ({"status": "requested", "expires_at": datetime(2100, 1, 1, tzinfo=UTC)}, None),
        ({"status": "completed"}, (409, "booking_changed")),
        ({"days_ahead": 0}, (409, "booking_changed")),  # it has started
        ({"status": "held", "expires_at": datetime(2100, 1, 1, tzinfo=UTC)}, (404, "not_found")),
    ],
)
async def test_cancel_for_both_depends_on_status(
    area: AdminArea, columns: dict[str, Any], refused: tuple[int, str] | None
) -> None:
    booking = book(area, unique_guru(area), **({"days_ahead": 60} | columns))
    response = await cancel(area, booking)
    after = "canceled" if refused is None else columns.get("status", "confirmed")
    assert area.rows("SELECT status FROM bookings WHERE id = %s", booking) == [(after,)]
    if refused is None:
        assert response.status_code == 200, response.text
    else:
        assert refusal(response) == refused


async def test_cancel_for_both_needs_reason_and_known_id(area: AdminArea) -> None:
    guru = unique_guru(area)
    assert guru.booking
    assert (await cancel(area, guru.booking, "  ")).status_code == 422
    assert (await cancel(area, new_id())).status_code == 404
    assert (await area.web.get("/api/admin/sessions/none", headers=area.staff)).status_code == 404
    assert (await detail(area, guru.booking))["status"] == "confirmed"


async def test_cancel_by_person_and_staff_happens_once(area: AdminArea) -> None:
    guru = unique_guru(area)
    with psycopg.connect(area.database.service_url, autocommit=True) as conn:
        person = seed_user(conn)
        conn.execute("UPDATE users SET email_verified = true WHERE user_id = %s", [person])
        insert_row(conn, "profiles", {"user_id": person, "handle": f"p{person.hex[-12:]}"})
        conn.execute("UPDATE profiles SET registered_at = app.now() WHERE user_id = %s", [person])
    area.emulator.create(f"uid-{person.hex}")
    headers = {"authorization": f"Bearer {create_token(person)}"}
    for day in range(5):
        with psycopg.connect(area.database.service_url) as conn:
            booking = seed_booking(conn, guru, person, days_ahead=50 + day)
        path = f"/api/bookings/{booking}"
        terms = (await area.web.get(path, headers=headers)).json()["data"]["terms"]["digest"]
        by_person = area.web.post(f"{path}/cancellation", json={"termsDigest": terms}, headers=headers)
        responses = await asyncio.gather(by_person, cancel(area, booking))
        assert sorted(response.status_code for response in responses) == [200, 409]
        events = [event["event"] for event in (await detail(area, booking))["history"]]
        assert events == ["confirmed", "canceled"]


async def test_session_counter_follows_bookings(area: AdminArea) -> None:
    async def total() -> int:
        data = (await area.web.get("/api/admin/dashboard", headers=area.staff)).json()["data"]
        return int(data["sessions"]["total"])

    guru = unique_guru(area)
    before = await total()
    book(area, guru, days_ahead=9, status="held", expires_at=clock.now() + timedelta(minutes=9))
    assert await total() == before
    booking = book(area, guru, days_ahead=10)
    assert await total() == before + 1
    area.rows("UPDATE bookings SET status = 'missed' WHERE id = %s", booking)
    assert await total() == before + 1
    await cancel(area, guru.booking or booking)
    area.rows("DELETE FROM bookings WHERE tenant_id = %s", guru.id)
    assert await total() == before - 1  # the booking that the guru began with


async def test_sessions_with_flag_off_are_unavailable(area: AdminArea) -> None:
    guru = unique_guru(area)
    area.rows("INSERT INTO flag_settings (name, enabled) VALUES ('booking', false)")
    try:
        settings = {"firebase_project_id": PROJECT, "admin_key": ADMIN_KEY}
        async with run_app(area.database, **settings) as app, http_client(app, BASE_HOST) as web:
            for path, method in (("", "GET"), (f"/{guru.booking}", "GET"), (f"/{guru.booking}/cancellation", "POST")):
                body = {"reason": "Illness"} if method == "POST" else None
                response = await web.request(method, f"/api/admin/sessions{path}", json=body, headers=area.staff)
                assert (response.status_code, response.json()["error"]["code"]) == (404, "feature_disabled")
            dashboard = await web.get("/api/admin/dashboard", headers=area.staff)
            assert dashboard.json()["data"]["sessions"] == {"total": 0}
    finally:
        area.rows("DELETE FROM flag_settings WHERE name = 'booking'")


@pytest.mark.parametrize(("recent", "many"), [(500, 20_000), (1, 20_000), (1, 4), (60, 4)])
async def test_session_search_finds_the_same_by_each_query(
    area: AdminArea, monkeypatch: pytest.MonkeyPatch, recent: int, many: int
) -> None:
    guru, other = unique_guru(area), unique_guru(area)
    text = f"kiln {guru.mark}"
    booked = [book(area, guru, days_ahead=300 + day, service_name=text.upper()) for day in range(PAGE_SIZE + 2)]
    done = book(area, other, days_ahead=-9, status="completed", service_name=f"A {text}")
    book(area, other, days_ahead=9, status="held", expires_at=clock.now(), service_name=text)
    monkeypatch.setattr(list_search, "RECENT_ROWS", recent)
    monkeypatch.setattr(list_search, "MAX_SORTED_MATCHES", many)
    for search in (text, f"  {text} "):
        assert [session["id"] for session in await listed(area, search=search)] == [str(done), *map(str, booked)]
    assert await ids(area, search=text, status="completed") == {str(done)}
    assert await ids(area, search=text, guru=other.label) == {str(done)}
    assert len(await ids(area, search="ki", guru=guru.label)) == len(booked)
    assert await ids(area, search=f"{text}?") == set()


def test_session_search_reads_few_rows(new_database: Callable[[], Database]) -> None:
    with psycopg.connect(new_database().superuser_url, autocommit=True) as conn:
        guru = seed_guru(conn, "potter")
        booking = seed_booking(conn, guru, seed_user(conn), days_ahead=30, service_name="Kiln")
        columns = "appointment_id, service_id, status, person_name, guru_label, guru_name, place, terms"
        copied = f"{columns}, zone, price_cents, currency, approval, terms_digest"
        conn.execute("SET session_replication_role = replica")
        names = "tenant_id, id, person_id, service_name, starts_at, ends_at"
        times = "starts_at + n * interval '1 hour', ends_at + n * interval '1 hour'"
        source = f"SELECT tenant_id, gen_random_uuid(), gen_random_uuid(), 'Lesson ' || n, {times}, {copied}"
        rows = f"{source} FROM bookings, generate_series(1, 4000) n WHERE id = %s"
        conn.execute(f"INSERT INTO bookings ({names}, {copied}) {rows}".encode(), [booking])
        conn.execute("VACUUM ANALYZE bookings")
        for query, like, most in ((SEARCH.anywhere.recent, "%lesson%", 2000), (SEARCH.anywhere.matches, "%kiln%", 60)):
            blocks = [_blocks(conn, query, like) for _ in range(2)]
            assert min(blocks) < most, (query, blocks)


def _blocks(conn: psycopg.Connection[Any], query: str, like: str) -> int:
    """Return the blocks that a query of the search reads."""
    none = dict.fromkeys(("status", "site", "first", "last", "not_before", "not_after", "cursor_time", "cursor_id"))
    values = none | {"guru": "", "guru_end": "", "hours": 72, "like": like, "many": 20_000, "recent": 500, "limit": 51}
    ((plan,),) = conn.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}".encode(), values).fetchall()
    top = plan[0]["Plan"]
    return int(top["Shared Hit Blocks"] + top["Shared Read Blocks"])
