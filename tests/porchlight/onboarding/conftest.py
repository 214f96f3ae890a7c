"""The whole app and the real Auth emulator."""

from __future__ import annotations

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.onboarding.users import Neighbor, UserFactory


@pytest.fixture
def users(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
    service_db: psycopg.Connection[tuple[object, ...]],
) -> UserFactory:
    """Create the factory of neighbors."""
    return UserFactory(web, emulator, database, service_db)


@pytest.fixture
async def ada(users: UserFactory) -> Neighbor:
    """A new user."""
    return await users.new("Ada Alvarez")


@pytest.fixture
async def ben(users: UserFactory) -> Neighbor:
    """Another new user."""
    return await users.new("Ben Brook")
