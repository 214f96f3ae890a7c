"""The app with the fake Stripe, and a shop with its plans."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.billing.plan_shop import Buyer, PlanShop
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake


@pytest.fixture(scope="module")
def stripe_fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StripeFake]:
    """The fake Stripe of a module."""
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
async def shop(database: Database, app: Porchlight, stripe_fake: StripeFake) -> AsyncIterator[PlanShop]:
    """The plans at the fake Stripe."""
    async with http_client(app, BASE_HOST) as web:
        created = PlanShop(database, app, stripe_fake, web)
        await created.open()
        yield created


@pytest.fixture
async def ada(shop: PlanShop, emulator: Emulator) -> Buyer:
    """A user."""
    return await shop.buyer(emulator, "Ada Alvarez")


@pytest.fixture
async def ben(shop: PlanShop, emulator: Emulator) -> Buyer:
    """Another user."""
    return await shop.buyer(emulator, "Ben Brook")


@pytest.fixture
async def without_keys(database: Database, emulator: Emulator) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app on a site without payments."""
    parts = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, **parts) as created, http_client(created, BASE_HOST) as web:
        yield web
