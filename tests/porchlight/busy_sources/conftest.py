"""The app, whose calendar servers may be on this machine, and a guru with hours on weekdays."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import run_app
from tests.porchlight.busy_sources.web_server import WebServer, serving
from tests.porchlight.hours.conftest import open_rosa

__all__ = ["open_rosa"]


@pytest.fixture(scope="module")
def calendar_web() -> Iterator[WebServer]:
    """A web server with calendar files."""
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, calendar_web: WebServer) -> AsyncIterator[Porchlight]:
    """The app, which may read calendars from `calendar_web`."""
    async with run_app(
        database,
        firebase_project_id=PROJECT,
        firebase_emulator_host=emulator.host,
        local_calendars=f"127.0.0.1:{calendar_web.server_address[1]}",
    ) as created:
        yield created
