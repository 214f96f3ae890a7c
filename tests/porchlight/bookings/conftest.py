"""The app, and gurus whose sessions can be booked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer
from tests.porchlight.angels.users import register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.factories import SeededGuru, seed_guru

__all__ = ["certificates", "signer"]


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    """Two gurus, each with a calendar and a booking."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "alpha"), seed_guru(conn, "beta")


@pytest.fixture
def guru(gurus: tuple[SeededGuru, SeededGuru]) -> SeededGuru:
    """The first guru."""
    return gurus[0]


@pytest.fixture(scope="module")
async def app(database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:
    """The app."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_certs_url=certificates.url) as porchlight:
        yield porchlight


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor of the main platform."""
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def create_user(web: httpx.AsyncClient, signer: Signer, database: Database) -> CreateUser:
    """A function that registers a new user."""
    return lambda name: register_user(web, signer, database, name)


@pytest.fixture
def new_guru(database: Database) -> NewGuru:
    """A factory of gurus with one service; `settings` are columns of its booking settings."""

    def create(**settings: Any) -> SeededGuru:
        with psycopg.connect(database.service_url) as conn:
            return create_bookable_guru(conn, **settings)

    return create
