"""A guru's site as a target of malicious input."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.app_client import run_app
from tests.porchlight.factories import seed_guru
from tests.sites.malicious_payloads import Target


@pytest.fixture(scope="module")
async def target(database: Database) -> AsyncIterator[Target]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, "alpha")
        async with run_app(database, page_cache="off") as app:
            yield Target(app, guru, conn)
