"""The whole app with the real Auth emulator beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.onboarding.people import Neighbour, People
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator, start_emulator
from tests.support.sharing import shared


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run."""
    with shared(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        made = Emulator(facts["host"])
        yield made
        made.close()


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    async with serving(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as made:
        yield made


@pytest.fixture
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform, without cookies."""
    async with visitor(app, BASE) as client:
        yield client


@pytest.fixture
def overseer(database: Database) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection that sees everything, each statement its own transaction."""
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
def people(web: httpx.AsyncClient, emulator: Emulator, overseer: psycopg.Connection[tuple[object, ...]]) -> People:
    """Makes neighbours."""
    return People(web, emulator, overseer)


@pytest.fixture
async def ada(people: People) -> Neighbour:
    """Somebody new."""
    return await people.new("Ada Alvarez")


@pytest.fixture
async def ben(people: People) -> Neighbour:
    """Somebody else."""
    return await people.new("Ben Brook")
