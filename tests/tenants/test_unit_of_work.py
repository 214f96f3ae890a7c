"""The unit of work: how it begins, and what it does with connections that the server closed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import psycopg
import pytest
from sqlalchemy import text

from tenants.db.pool import Database as Pools
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database, Server
from tests.fixtures.statement_log import StatementLog

SETTINGS = text(
    "SELECT current_setting('app.tenant_id', true), current_setting('app.user_id', true),"
    " current_setting('app.acting_tenant_id', true)"
)
POOLED_CONNECTIONS = 4


@pytest.fixture
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url) as db:
        yield db


async def test_unit_of_work_settings_end_with_transaction(pools: Pools) -> None:
    tenant_id, user_id = new_id(), new_id()
    async with unit_of_work(pools, tenant_id=tenant_id, user_id=user_id, acting=True) as session:
        assert tuple((await session.execute(SETTINGS)).one()) == (str(tenant_id), str(user_id), str(tenant_id))
    async with unit_of_work(pools, user_id=user_id) as session:
        assert tuple((await session.execute(SETTINGS)).one()) == ("", str(user_id), "")
    async with pools.engine.connect() as connection:
        settings = tuple((await connection.execute(SETTINGS)).one())
    assert settings == ("", "", "")


async def test_unit_of_work_begins_with_one_statement(pools: Pools, server: Server, database: Database) -> None:
    log = StatementLog(server, database)
    async with unit_of_work(pools) as session:  # connects
        await session.execute(SETTINGS)
    since = log.size()
    async with unit_of_work(pools) as session:
        await session.execute(SETTINGS)
    assert log.count(since) == 3  # BEGIN with the settings, the query, COMMIT


async def test_unit_of_work_replaces_closed_connections(pools: Pools, database: Database) -> None:
    async def run_all() -> set[int]:
        """Run as many units of work at once as the pool has connections, and return their processes."""
        pids = set()
        async with AsyncExitStack() as stack:
            for _ in range(POOLED_CONNECTIONS):
                session = await stack.enter_async_context(unit_of_work(pools))
                pids.add(int((await session.execute(text("SELECT pg_backend_pid()"))).scalar_one()))
        return pids

    before = await run_all()
    assert len(before) == POOLED_CONNECTIONS
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        for pid in before:
            conn.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    after = await run_all()
    assert len(after) == POOLED_CONNECTIONS
    assert not before & after
