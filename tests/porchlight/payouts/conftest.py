"""The whole app with the real Auth emulator and the Stripe fake, each in its own process."""

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
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake


@pytest.fixture(scope="session")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    """The Auth emulator, one for all workers of this run."""
    with shared_resource(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        created = Emulator(facts["host"])
        yield created
        created.close()


@pytest.fixture(scope="module")
def stripe_fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StripeFake]:
    """The Stripe fake. Its webhooks go to a server of the test, which queues them."""
    with StripeFake(tmp_path_factory.mktemp("stripe")) as created:
        yield created


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, stripe_fake: StripeFake) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    parts: dict[str, Any] = {
        "firebase_project_id": PROJECT,
        "firebase_emulator_host": emulator.host,
        "stripe_secret_key": SECRET_KEY,
        "stripe_webhook_secret": WEBHOOK_SECRET,
        "stripe_api_base": stripe_fake.url,
    }
    async with run_app(database, **parts) as created:
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
