"""The app, and gurus whose sessions can be booked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.bookings.sessions import create_owner
from tests.porchlight.factories import SeededGuru, seed_guru
from tests.porchlight.named_users import app, certificates, create_user, signer, web
from tests.porchlight.owner import GuruOwner

__all__ = ["app", "certificates", "create_user", "signer", "web"]


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    """Two gurus, each with a calendar and a booking."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "alpha"), seed_guru(conn, "beta")


@pytest.fixture
def guru(gurus: tuple[SeededGuru, SeededGuru]) -> SeededGuru:
    """The first guru."""
    return gurus[0]


@pytest.fixture
def new_guru(database: Database) -> NewGuru:
    """A factory of gurus with one service; `settings` are columns of its booking settings."""

    def create(**settings: Any) -> SeededGuru:
        with psycopg.connect(database.service_url) as conn:
            return create_bookable_guru(conn, **settings)

    return create


@pytest.fixture
async def new_owner(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, new_guru: NewGuru
) -> AsyncIterator[Any]:
    """A factory of owners of gurus with one service; `settings` are columns of its booking settings."""
    owners: list[GuruOwner] = []

    async def create(**settings: Any) -> GuruOwner:
        owners.append(await create_owner(app, web, signer, database, new_guru(**settings)))
        return owners[-1]

    yield create
    for owner in owners:
        await owner.web.aclose()
