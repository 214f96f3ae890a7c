"""The app with the real Auth emulator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, certificates, signer, start_emulator
from tests.fixtures.shared_resources import shared_resource
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

__all__ = ["app", "certificates", "emulator", "signer", "web"]


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, shared_resource by all pytest workers."""
    with shared_resource(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        emulator = Emulator(facts["host"])
        yield emulator
        emulator.close()


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        yield app


@pytest.fixture
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform, without cookies."""
    async with http_client(app, BASE_HOST) as client:
        yield client
