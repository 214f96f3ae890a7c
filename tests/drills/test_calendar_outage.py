"""A calendar's server is down for a day, in which the product tries to read it every quarter of an hour."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.bench.figures import print_figure
from tests.fixtures.clock import same_morning
from tests.fixtures.databases import Database
from tests.porchlight.busy_sources.conftest import app, calendar_web, open_rosa
from tests.porchlight.busy_sources.outage import sit_out
from tests.porchlight.busy_sources.web_server import WebServer
from tests.porchlight.conftest import emulator, rosa, service_db
from tests.porchlight.owner import GuruOwner
from tests.porchlight.plans.grants import grant_plan

__all__ = ["app", "calendar_web", "emulator", "open_rosa", "rosa", "same_morning", "service_db"]

pytestmark = [pytest.mark.drill, pytest.mark.usefixtures("same_morning")]
QUARTER = timedelta(minutes=18)  # at the latest, with the spread
READINGS = 82  # a day, and half an hour


async def test_drill_of_an_outage_keeps_the_times_for_a_day(
    app: Porchlight, open_rosa: GuruOwner, database: Database, calendar_web: WebServer,
    service_db: psycopg.Connection[Any],
) -> None:  # fmt: skip
    grant_plan(database, open_rosa.guru.owner)
    await sit_out(app, open_rosa, database, calendar_web, service_db, [QUARTER] * READINGS)
    print_figure("readings of a calendar whose server is down", READINGS, None, "times", least=READINGS)
