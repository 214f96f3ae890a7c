"""The free times of a service over HTTP, on a real database."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import SeededGuru, insert_row, seed_booking, seed_guru

DENVER = ZoneInfo("America/Denver")


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    """Two gurus with open hours on weekdays from 9 AM to 5 PM in Denver."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "alpha"), seed_guru(conn, "beta")


@pytest.fixture(scope="module")
async def app(database: Database, gurus: tuple[SeededGuru, SeededGuru]) -> AsyncIterator[Porchlight]:
    """The app on the database of the gurus."""
    async with run_app(database) as running:
        yield running


@pytest.fixture
async def client(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor of the main platform."""
    async with http_client(app, BASE_HOST) as visitor:
        yield visitor


async def slots(client: httpx.AsyncClient, guru: SeededGuru, service: int = 0, **query: str | int) -> dict[str, Any]:
    response = await client.get(
        f"/api/gurus/{guru.label}/services/{guru.services[service]}/slots",
        params={name.rstrip("_"): value for name, value in query.items()},
    )
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def instants(body: dict[str, Any]) -> list[datetime]:
    return [datetime.fromisoformat(start["startsAt"]) for start in body["starts"]]


def change(database: Database, statement: str, *params: object) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute(statement.encode(), params)


async def test_slots_follow_hours_in_the_gurus_zone(
    client: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    body = await slots(client, gurus[1], days=14)
    starts = instants(body)
    assert (body["zone"], body["minutes"], body["days"]) == ("America/Denver", 60, 14)
    assert starts == sorted(starts)
    assert body["starts"][0] == body["next"]
    for start in starts:
        local = start.astimezone(DENVER)
        assert local.weekday() < 5
        assert 9 <= local.hour < 17
        assert local.minute in (0, 30)
        assert start > clock.now() + timedelta(hours=12) - timedelta(minutes=1)


async def test_slots_of_booked_time_disappear(
    client: httpx.AsyncClient, database: Database, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru = gurus[0]
    before = instants(await slots(client, guru, 1))
    start = next(moment for moment in before if moment - timedelta(minutes=30) in before)
    with psycopg.connect(database.service_url) as conn:
        appointment = {
            "tenant_id": guru.id, "id": new_id(), "kind": "block", "starts_at": start,
            "ends_at": start + timedelta(minutes=30), "zone": "America/Denver",
            "blocked": psycopg.types.range.Range(start, start + timedelta(minutes=30)),
        }  # fmt: skip
        insert_row(conn, "appointments", appointment)
    after = instants(await slots(client, guru, 1))
    assert set(before) - set(after) == {start, start - timedelta(minutes=30)}
    change(database, "DELETE FROM appointments WHERE tenant_id = %s AND id = %s", guru.id, appointment["id"])
    assert instants(await slots(client, guru, 1)) == before


async def test_slots_follow_changed_hours_and_settings(
    client: httpx.AsyncClient, database: Database, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru = gurus[1]
    assert instants(await slots(client, guru, 2))
    for statement in (
        "UPDATE calendars SET paused_until = app.now() + interval '400 days' WHERE tenant_id = %s",
        "UPDATE calendars SET paused_until = NULL, notice_minutes = 43200, horizon_days = 7 WHERE tenant_id = %s",
    ):
        change(database, statement, guru.id)
        body = await slots(client, guru, 2)
        assert (body["starts"], body["next"]) == ([], None)
    change(database, "UPDATE calendars SET notice_minutes = 720, horizon_days = 60 WHERE tenant_id = %s", guru.id)
    change(database, "DELETE FROM weekly_hours WHERE tenant_id = %s AND weekday <> 2", guru.id)
    starts = instants(await slots(client, guru, 2))
    assert {start.astimezone(DENVER).weekday() for start in starts} == {2}


async def test_slots_of_later_days_name_the_next_start(
    client: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru = gurus[0]
    first = await slots(client, guru)
    far = (clock.now().astimezone(DENVER) + timedelta(days=300)).date()
    body = await slots(client, guru, from_=far.isoformat())
    assert (body["starts"], body["next"], body["firstDay"]) == ([], first["next"], far.isoformat())
    past = await slots(client, guru, from_="2020-01-01")
    assert past["firstDay"] == clock.now().astimezone(DENVER).date().isoformat()


@pytest.mark.parametrize("last", ["9999-12-31", "9999-12-30", "0001-01-01"])
async def test_slots_of_extreme_days_answer(
    client: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru], last: str
) -> None:
    await slots(client, gurus[0], days=62, from_=last)


async def test_slots_of_session_show_seats_left(
    client: httpx.AsyncClient, database: Database, gurus: tuple[SeededGuru, SeededGuru]
) -> None:
    guru = gurus[0]
    change(database, "UPDATE booking_settings SET capacity = 5 WHERE tenant_id = %s", guru.id)
    start = next(start for start in instants(await slots(client, guru)) if start.astimezone(DENVER).hour == 14)
    with psycopg.connect(database.service_url) as conn:
        booking = seed_booking(conn, guru, new_id(), days_ahead=300, party=2)
        conn.execute(
            "UPDATE appointments a SET starts_at = %s, ends_at = %s, blocked = tstzrange(%s, %s), capacity = 5"
            " FROM bookings b WHERE b.id = %s AND (a.tenant_id, a.id) = (b.tenant_id, b.appointment_id)",
            [start, start + timedelta(hours=1), start, start + timedelta(hours=1), booking],
        )
    body = await slots(client, guru)
    seats = {start["startsAt"]: start["seats"] for start in body["starts"]}
    text = start.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert seats.pop(text) == 3
    assert set(seats.values()) == {5}


@pytest.mark.parametrize("why", ["foreign", "unknown", "malformed", "closed", "monthly"])
async def test_slots_of_unoffered_service_are_404(
    client: httpx.AsyncClient, database: Database, gurus: tuple[SeededGuru, SeededGuru], why: str
) -> None:
    guru = gurus[0]
    service = {"foreign": gurus[1].services[0], "unknown": new_id(), "malformed": "x"}.get(why, guru.services[2])
    if why == "closed":
        change(database, "UPDATE booking_settings SET open = false WHERE tenant_id = %s", guru.id)
    elif why == "monthly":
        statement = "UPDATE services SET duration_minutes = NULL, duration_label = 'Monthly' WHERE tenant_id = %s"
        change(database, statement, guru.id)
    response = await client.get(f"/api/gurus/{guru.label}/services/{service}/slots")
    unknown = await client.get(f"/api/gurus/{guru.label}/services/{new_id()}/slots")
    assert response.json() == unknown.json()
    assert refusal(response) == (404, "not_found")


@pytest.mark.parametrize("query", ["days=0", "days=63", "from=tomorrow", "from=2026-02-30", "days=x"])
async def test_slots_with_invalid_range_are_rejected(
    client: httpx.AsyncClient, gurus: tuple[SeededGuru, SeededGuru], query: str
) -> None:
    guru = gurus[0]
    response = await client.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots?{query}")
    assert list(invalid_fields(response)) == [query.partition("=")[0]]


async def test_answer_says_how_many_days_it_reaches(client: httpx.AsyncClient, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, "always")
        conn.execute("DELETE FROM weekly_hours WHERE tenant_id = %s", [guru.id])
        conn.execute(
            "INSERT INTO weekly_hours SELECT %s, d, int4range(0, 1440) FROM generate_series(0, 6) d", [guru.id]
        )
        conn.execute("UPDATE calendars SET step_minutes = 5, horizon_days = 60 WHERE tenant_id = %s", [guru.id])
    first = await slots(client, guru, days=62)
    assert 10 <= first["days"] < 62
    found, reached, first_day = instants(first), first["days"], date.fromisoformat(first["firstDay"])
    while (day := first_day + timedelta(days=reached)) <= date.fromisoformat(first["lastDay"]):
        more = await slots(client, guru, from_=day.isoformat(), days=62 - reached)
        found += instants(more)
        reached += more["days"]
    by_day = Counter(start.astimezone(DENVER).date() for start in found)
    # Late in the evening, the notice takes the morning of the next day.
    days = [date.fromisoformat(first["today"]) + timedelta(days=number) for number in range(2, 60)]
    assert all(by_day[day] > 150 for day in days)
