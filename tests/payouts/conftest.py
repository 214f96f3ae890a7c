"""The whole app with the real Auth emulator and the local Stripe, each a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.payouts.twin import SECRET_KEY, WEBHOOK_SECRET, Twin
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
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    """The local Stripe. Its events go to a door of the test, which hands them on."""
    with Twin(tmp_path_factory.mktemp("stripe")) as made:
        yield made


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, twin: Twin) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    parts: dict[str, Any] = {
        "firebase_project_id": PROJECT,
        "firebase_emulator_host": emulator.host,
        "stripe_secret_key": SECRET_KEY,
        "stripe_webhook_secret": WEBHOOK_SECRET,
        "stripe_api_base": twin.url,
    }
    async with serving(database, **parts) as made:
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
