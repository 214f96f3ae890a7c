"""A guru's site as a target."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from tests.platform_.world import serving, tell
from tests.sites.hostile import Target
from tests.support.databases import Database


@pytest.fixture(scope="module")
async def target(database: Database) -> AsyncIterator[Target]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        guru = tell(conn, "alpha")
        async with serving(database, page_cache="off") as app:
            yield Target(app, guru, conn)
