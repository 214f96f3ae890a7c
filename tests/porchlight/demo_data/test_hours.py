"""Demo gurus can be booked: each has hours, and a start for every service with minutes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest

from porchlight.demo_data import gurus
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

WORKSHOP = ("fitness", "Group Workshop", 8)


@pytest.fixture(scope="module")
async def visitor(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor of the app with the demo gurus."""
    gurus.load_all(database.service_url)
    async with run_app(database) as app, http_client(app, BASE_HOST) as client:
        yield client


async def test_demo_services_with_minutes_can_be_booked(visitor: httpx.AsyncClient, database: Database) -> None:
    query = (
        "SELECT g.label, s.name, s.id FROM services s JOIN gurus g ON g.id = s.tenant_id"
        " WHERE s.duration_minutes IS NOT NULL"
    )
    with psycopg.connect(database.service_url) as conn:
        services = conn.execute(query).fetchall()
    assert {label for label, *_ in services} == set(gurus.labels())
    for label, name, service in services:
        response = await visitor.get(f"/api/gurus/{label}/services/{service}/slots", params={"days": 14})
        assert response.status_code == 200, (label, name)
        assert response.json()["next"], (label, name)


async def test_demo_workshop_has_fixed_starts(visitor: httpx.AsyncClient, database: Database) -> None:
    label, name, spots = WORKSHOP
    service = gurus.demo_id(label, "service", name)
    response = await visitor.get(f"/api/gurus/{label}/services/{service}/slots", params={"days": 62})
    slots = response.json()
    assert slots["capacity"] == spots
    times = [
        datetime.fromisoformat(start["startsAt"]).astimezone(ZoneInfo("America/Denver")) for start in slots["starts"]
    ]
    assert len(times) >= 7
    assert {(time.weekday(), time.hour) for time in times} == {(5, 9)}
    assert {start["seats"] for start in slots["starts"]} == {spots}
