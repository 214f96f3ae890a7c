"""A guru with hours on weekdays."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.porchlight.hours.calendar_calls import CALENDAR, WEEKDAYS, set_booking, set_calendar, set_week
from tests.porchlight.owner import GuruOwner


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
