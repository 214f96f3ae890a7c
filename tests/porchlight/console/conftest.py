"""Two gurus with signed-in owners, the whole app and the real Auth emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, start_emulator
from tests.fixtures.shared_resources import shared_resource
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.console.owner import GuruOwner
from tests.porchlight.factories import seed_guru


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run."""
    with shared_resource(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        created = Emulator(facts["host"])
        yield created
        created.close()


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as created:
        yield created


@pytest.fixture
def service_db(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """An autocommit connection of the service role."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        yield conn


async def _owner(app: Porchlight, emulator: Emulator, conn: psycopg.Connection[Any], label: str) -> GuruOwner:
    _, uid, token = emulator.sign_up()
    guru = seed_guru(conn, label)
    conn.execute("UPDATE users SET firebase_uid = %s WHERE user_id = %s", [uid, guru.owner])
    web = http_client(app, BASE_HOST)
    web.headers["authorization"] = f"Bearer {token}"
    return GuruOwner(guru, web)


@pytest.fixture(scope="module")
async def rosa(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[GuruOwner]:
    """The owner of `alpha`."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        created = await _owner(app, emulator, conn, "alpha")
    yield created
    await created.web.aclose()


@pytest.fixture(scope="module")
async def theo(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[GuruOwner]:
    """The owner of `beta`."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        created = await _owner(app, emulator, conn, "beta")
    yield created
    await created.web.aclose()
