"""Two gurus with signed-in owners, the whole app and the real Auth emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.console.hours import CALENDAR, WEEKDAYS, set_booking, set_calendar, set_week
from tests.porchlight.console.owner import GuruOwner, create_owner
from tests.porchlight.plans.grants import grant_plan


@pytest.fixture(scope="module")
async def rosa(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[GuruOwner]:
    """The owner of `alpha`."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        created = await create_owner(app, emulator, conn, "alpha")
    grant_plan(database, created.guru.owner)
    yield created
    await created.web.aclose()


@pytest.fixture(scope="module")
async def theo(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[GuruOwner]:
    """The owner of `beta`."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        created = await create_owner(app, emulator, conn, "beta")
    grant_plan(database, created.guru.owner)
    yield created
    await created.web.aclose()


@pytest.fixture
async def open_rosa(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> GuruOwner:
    """The owner of `alpha`, without appointments, with default settings and hours on weekdays in Denver."""
    service_db.execute("DELETE FROM appointments WHERE tenant_id = %s", [rosa.guru.id])
    service_db.execute("DELETE FROM date_hours WHERE tenant_id = %s", [rosa.guru.id])
    await set_calendar(rosa, **CALENDAR)
    await set_week(rosa, WEEKDAYS)
    for service in range(3):
        await set_booking(rosa, service)
    return rosa
