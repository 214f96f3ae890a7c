"""The queries of a guru's pages, for a guru who was deleted after the request was routed."""

from __future__ import annotations

import psycopg
import pytest

from sites.home import queries
from tenants.db.pool import Database as Pools
from tenants.kit.errors import GuruNotFound
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_guru


async def test_posts_of_others_are_no_posts_of_this_site(database: Database) -> None:
    """As the service role, which row-level security does not limit."""
    with psycopg.connect(database.service_url) as conn:
        quiet, busy = seed_guru(conn, "quiet", posts=0), seed_guru(conn, "busy", posts=1)
    async with Pools(database.service_url) as pools:
        found = [(await queries.site_header(pools, guru.id))["hasPosts"] for guru in (quiet, busy)]
    assert found == [False, True]


async def test_pages_of_deleted_guru_are_not_found(database: Database) -> None:
    async with Pools(database.app_url) as pools:
        for read in (queries.home, queries.about, queries.services_page, queries.site_header):
            with pytest.raises(GuruNotFound):
                await read(pools, new_id())
