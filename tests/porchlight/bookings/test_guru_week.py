"""The hours that a guru's week shows."""

from __future__ import annotations

from typing import Any

from tests.fixtures.databases import Database
from tests.porchlight.bookings.api import execute
from tests.porchlight.owner import GuruOwner


async def test_week_has_hours_where_the_clocks_change(database: Database, new_owner: Any) -> None:
    gina: GuruOwner = await new_owner()
    execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", gina.guru.id)
    hours = "INSERT INTO weekly_hours (tenant_id, weekday, during) VALUES (%s, 6, '[0, 1440)'), (%s, 0, '[540, 600)')"
    execute(database, hours, gina.guru.id, gina.guru.id)
    closed = "INSERT INTO date_hours (tenant_id, day, during) VALUES (%s, '2027-11-08', 'empty')"
    execute(database, closed, gina.guru.id)
    for day, found in (
        ("2027-03-14", [("2027-03-14T07:00:00Z", "2027-03-15T06:00:00Z"),
                        ("2027-03-15T15:00:00Z", "2027-03-15T16:00:00Z")]),
        ("2027-11-07", [("2027-11-07T06:00:00Z", "2027-11-08T07:00:00Z")]),
    ):  # fmt: skip
        week = await gina.call("GET", f"/bookings/week?from={day}")
        assert [(one["startsAt"], one["endsAt"]) for one in week["hours"]] == found
        assert week["pausedUntil"] is None
    pause = "UPDATE calendars SET paused_until = '2027-12-01T12:00:00Z' WHERE tenant_id = %s"
    execute(database, pause, gina.guru.id)
    assert (await gina.call("GET", "/bookings/week"))["pausedUntil"] == "2027-12-01T12:00:00Z"
