"""The whole app with the real Auth emulator, a folder of files, and staff."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.documents.people import Guru, Staff, new_guru, new_staff
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator, start_emulator
from tests.support.sharing import shared

KEYS = "correct-horse-battery-staple-0123456789"


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run."""
    with shared(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        made = Emulator(facts["host"])
        yield made
        made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where files are kept."""
    return tmp_path_factory.mktemp("state") / "files"


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, folder: Path) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    parts: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with serving(database, admin_key=KEYS, files_url=folder.as_uri(), **parts) as made:
        yield made


@pytest.fixture
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform, without cookies."""
    async with visitor(app, BASE) as client:
        yield client


@pytest.fixture
def overseer(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection that sees everything, each statement its own transaction."""
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
async def ada(web: httpx.AsyncClient, emulator: Emulator, overseer: psycopg.Connection[Any]) -> Guru:
    """Somebody new."""
    return await new_guru(web, emulator, overseer, "Ada Alvarez")


@pytest.fixture
async def ben(web: httpx.AsyncClient, emulator: Emulator, overseer: psycopg.Connection[Any]) -> Guru:
    """Somebody else."""
    return await new_guru(web, emulator, overseer, "Ben Brook")


@pytest.fixture
async def staff(web: httpx.AsyncClient) -> Staff:
    """Staff at work."""
    return await new_staff(web, KEYS)
