"""The app with the fake Stripe, and users who pay gurus for sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import run_app
from tests.porchlight.billing.conftest import stripe_fake
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.factories import SeededGuru
from tests.porchlight.owner import GuruOwner
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, StripeFake
from tests.porchlight.settlement.both_sides import SettableClock

__all__ = ["stripe_fake"]


@pytest.fixture(scope="module")
async def app(
    database: Database, certificates: CertificateServer, stripe_fake: StripeFake
) -> AsyncIterator[Porchlight]:
    """The app with payments, and with a test signing key."""
    settings = {
        "firebase_project_id": PROJECT, "firebase_certs_url": certificates.url, "stripe_secret_key": SECRET_KEY,
        "stripe_webhook_secret": WEBHOOK_SECRET, "stripe_api_base": stripe_fake.url,
    }  # fmt: skip
    async with run_app(database, **settings) as porchlight:
        yield porchlight


@pytest.fixture
async def shop(database: Database, app: Porchlight, stripe_fake: StripeFake, web: httpx.AsyncClient) -> SessionShop:
    """The fake Stripe, the app and what is between them."""
    created = SessionShop(database, app, stripe_fake, web)
    await created.open()
    return created


@pytest.fixture
def paid_guru(shop: SessionShop, new_guru: NewGuru) -> SeededGuru:
    """A guru whose sessions are paid by card, $45.01 each, with the flexible terms."""
    guru = new_guru(payment="full")
    shop.let_take_cards(guru)
    return guru


@pytest.fixture
async def seller(shop: SessionShop, new_owner: Any) -> GuruOwner:
    """The owner of a guru who takes cards, $45.01 for a session."""
    guru_owner: GuruOwner = await new_owner(payment="full")
    shop.let_take_cards(guru_owner.guru)
    return guru_owner


@pytest.fixture
async def buyer(create_user: CreateUser) -> ApiUser:
    """A neighbor who buys packages."""
    return await create_user("Paying Pia")


@pytest.fixture
def product_clock(monkeypatch: pytest.MonkeyPatch) -> SettableClock:
    """The product's clock, which the test moves."""
    return SettableClock(monkeypatch)


@pytest.fixture
async def card_guru(shop: SessionShop, new_owner: Any) -> GuruOwner:
    """The owner of a guru who takes cards, and whose single sessions are paid in person."""
    found: GuruOwner = await new_owner()
    shop.let_take_cards(found.guru)
    await connect_account(shop, found)
    return found
