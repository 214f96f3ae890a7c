"""The whole app with the real Auth emulator and the Stripe fake, each in its own process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import run_app
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake


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
