"""Two gurus with owners who are signed in, on the whole app with the real Auth emulator beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from tests.console.owner import Owner
from tests.platform_.world import BASE, serving, tell, visitor
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
def overseer(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection that sees everything, each statement its own transaction."""
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        yield conn


async def _owner(app: Porchlight, emulator: Emulator, conn: psycopg.Connection[Any], label: str) -> Owner:
    _, uid, token = emulator.sign_up()
    guru = tell(conn, label)
    conn.execute("UPDATE users SET firebase_uid = %s WHERE user_id = %s", [uid, guru.owner])
    web = visitor(app, BASE)
    web.headers["authorization"] = f"Bearer {token}"
    return Owner(guru, web)


@pytest.fixture(scope="module")
async def rosa(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[Owner]:
    """The owner of `alpha`."""
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        made = await _owner(app, emulator, conn, "alpha")
    yield made
    await made.web.aclose()


@pytest.fixture(scope="module")
async def theo(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[Owner]:
    """The owner of `beta`."""
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        made = await _owner(app, emulator, conn, "beta")
    yield made
    await made.web.aclose()
