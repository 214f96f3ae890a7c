"""The whole app and the real Auth emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, start_emulator
from tests.fixtures.shared_resources import shared_resource
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.onboarding.users import Neighbor, UserFactory


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run."""
    with shared_resource(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        document_id = Emulator(facts["host"])
        yield document_id
        document_id.close()


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as document_id:
        yield document_id


@pytest.fixture
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform, without cookies."""
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def service_db(database: Database) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """An autocommit connection of the service role."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
def users(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
    service_db: psycopg.Connection[tuple[object, ...]],
) -> UserFactory:
    """Create the factory of neighbors."""
    return UserFactory(web, emulator, database, service_db)


@pytest.fixture
async def ada(users: UserFactory) -> Neighbor:
    """A new user."""
    return await users.new("Ada Alvarez")


@pytest.fixture
async def ben(users: UserFactory) -> Neighbor:
    """Another new user."""
    return await users.new("Ben Brook")
