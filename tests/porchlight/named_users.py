"""The app with a test signing key, so that tests can sign in users by name: fixtures for the conftest of a folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.admin.api_client import ADMIN_KEY
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app

__all__ = ["CreateUser", "app", "certificates", "create_user", "signer", "web"]

CreateUser = Callable[[str], Awaitable[ApiUser]]


@pytest.fixture(scope="module")
async def app(database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:
    """The app, with an admin key."""
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url, "admin_key": ADMIN_KEY}
    async with run_app(database, **settings) as porchlight:
        yield porchlight


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform."""
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def create_user(web: httpx.AsyncClient, signer: Signer, database: Database) -> CreateUser:
    """A function that registers a new user with a display name."""
    return lambda name: register_user(web, signer, database, name)
