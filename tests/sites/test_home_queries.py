"""The queries of a guru's pages, for a guru who was deleted after the request was routed."""

from __future__ import annotations

import pytest

from sites.home import queries
from tenants.db.pool import Database as Pools
from tenants.kit.errors import GuruNotFound
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database


async def test_pages_of_deleted_guru_are_not_found(database: Database) -> None:
    async with Pools(database.app_url) as pools:
        for read in (queries.home, queries.about, queries.services_page, queries.site_header):
            with pytest.raises(GuruNotFound):
                await read(pools, new_id())
