"""The whole app with the real Auth emulator and the Stripe fake, each in its own process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import run_app
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, Browser, StripeFake
from tests.porchlight.settlement.both_sides import BothSides, ConnectedGuru

EARNINGS = 20_000


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
        "stripe_connect_webhook_secret": WEBHOOK_SECRET,
        "stripe_api_base": stripe_fake.url,
    }
    async with run_app(database, **parts) as created:
        yield created


@pytest.fixture
async def guru(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], sides: BothSides
) -> GuruUser:
    """A signed-in guru with a connected account and earnings of $200."""
    user = await create_guru_user(web, emulator, service_db, "Ada Alvarez")
    await connect(user, sides)
    sides.earn(connected(service_db, user), EARNINGS)
    return user


@pytest.fixture
def instant_payouts_on(service_db: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn instant payouts on, and read flags without a cache."""
    monkeypatch.setattr("porchlight.flags.queries.TTL_SECONDS", 0.0)
    service_db.execute(
        "INSERT INTO flag_settings (name, enabled) VALUES ('instantPayouts', true)"
        " ON CONFLICT (name) DO UPDATE SET enabled = true"
    )


async def connect(user: GuruUser, sides: BothSides, **onboarding: str) -> None:
    started = await user.web.post("/api/connect/start", headers=user.headers())
    Browser().complete_onboarding(started.json()["url"], **onboarding)
    row = sides.one("SELECT account_id FROM payout_accounts WHERE user_id = %s", user.user_id)
    sides.v1("POST", "/v1/balance_settings", row[0], **{"payments[payouts][schedule][interval]": "manual"})
    assert (await user.web.get("/api/connect/status", headers=user.headers())).json()["data"]["payouts_enabled"]


def connected(conn: psycopg.Connection[Any], user: GuruUser) -> ConnectedGuru:
    row = conn.execute("SELECT account_id FROM payout_accounts WHERE user_id = %s", [user.user_id]).fetchone()
    assert row is not None
    return ConnectedGuru(user.user_id, row[0])


def account_of(sides: BothSides, user: GuruUser) -> str:
    return str(sides.one("SELECT account_id FROM payout_accounts WHERE user_id = %s", user.user_id)[0])
