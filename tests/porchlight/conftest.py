"""The app with the real Auth emulator, two gurus and the admin area, for all tests of `porchlight`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, start_emulator
from tests.fixtures.shared_resources import shared_resource
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.owner import GuruOwner, create_owner
from tests.porchlight.payouts.stripe_fake import StripeFake
from tests.porchlight.plans.grants import grant_plan
from tests.porchlight.settlement.both_sides import BothSides


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run.

    It lives as long as the session: with a shorter scope, the worker that started it would stop in the middle of the
    run until no other worker used it.
    """
    with shared_resource(run_directory, "auth-emulator", lambda died: start_emulator(run_directory, died)) as facts:
        created = Emulator(facts["host"])
        yield created
        created.close()


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as created:
        yield created


@pytest.fixture
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform, without cookies."""
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def service_db(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """An autocommit connection of the service role."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
async def sides(database: Database, stripe_fake: StripeFake) -> AsyncIterator[BothSides]:
    """Both sides, without faults of earlier tests."""
    created = BothSides(database, stripe_fake)
    created.clear_faults()
    yield created
    await created.api.close()


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
