"""Fixtures of the admin tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, start_emulator
from tests.fixtures.shared_resources import shared_resource
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.app_client import BASE_HOST, http_client, run_app


@pytest.fixture(scope="module")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, shared by all pytest workers."""
    with shared_resource(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        emulator = Emulator(facts["host"])
        yield emulator
        emulator.close()


@pytest.fixture(scope="module")
async def area(database: Database, emulator: Emulator) -> AsyncIterator[AdminArea]:
    """Two app instances with a signed-in admin."""
    settings = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "admin_key": ADMIN_KEY}
    async with (
        run_app(database, **settings) as app,
        run_app(database, **settings) as other,
        http_client(app, BASE_HOST) as web,
    ):
        yield AdminArea(app, other, database, web, await sign_in_admin(web), emulator)
