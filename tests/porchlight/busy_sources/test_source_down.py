"""A calendar whose server is down for a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.clock import same_morning
from tests.fixtures.databases import Database
from tests.porchlight.busy_sources.outage import sit_out
from tests.porchlight.busy_sources.web_server import WebServer
from tests.porchlight.owner import GuruOwner
from tests.porchlight.plans.grants import grant_plan

__all__ = ["same_morning"]


@pytest.mark.usefixtures("same_morning")
async def test_times_stay_for_a_day_and_return_with_the_server(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer,
    service_db: psycopg.Connection[Any],
) -> None:  # fmt: skip
    grant_plan(database, open_rosa.guru.owner)
    hours = (1, 12, 11, 2)
    await sit_out(app, open_rosa, database, calendar_web, service_db, [timedelta(hours=step) for step in hours])
