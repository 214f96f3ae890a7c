"""Fixtures of the admin tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.app_client import BASE_HOST, http_client, run_app


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
