"""Reads, writes and units of work of one tenant: visibility, cleanup, cancellation, errors."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import text

from tenants.db.pool import Database as Pools
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.errors import Unavailable
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_guru

TENANT_SETTING = "SELECT coalesce(app.tenant_id()::text, ''), current_setting('app.tenant_id', true)"
OWN = "SELECT label FROM gurus"


@pytest.fixture(scope="module")
def gurus(database: Database) -> list[SeededGuru]:
    with psycopg.connect(database.service_url) as conn:
        return [seed_guru(conn, label) for label in ("alpha", "beta", "gamma")]


@pytest.fixture
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url, reads=1, writes=1) as db:
        yield db


async def _assert_no_tenant(db: Pools) -> None:
    """Assert that the next user of each connection has no tenant, inside a transaction or outside."""
    for pool in (db.reads, db.writes):
        async with pool.connection() as conn:
            row = await (await conn.execute("SELECT current_setting('app.tenant_id', true)")).fetchone()
            assert row is not None
            assert not row[0]
            assert conn.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            assert (await (await conn.execute(OWN)).fetchall()) == []


async def test_read_sees_own_tenant_and_resets_it(pools: Pools, gurus: list[SeededGuru]) -> None:
    for _ in range(4):  # above the threshold for prepared statements
        for guru in gurus:
            assert await pools.read(guru.id, OWN) == [(guru.label,)]
            assert await pools.read(guru.id, TENANT_SETTING) == [(str(guru.id), str(guru.id))]
            await _assert_no_tenant(pools)
    assert await pools.read(None, OWN) == []
    assert await pools.read(new_id(), OWN) == []


async def test_force_custom_plan_never_uses_generic_plan(database: Database, gurus: list[SeededGuru]) -> None:
    plans = "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE statement LIKE 'SELECT label %'"
    for forced, expected in ((True, (10, 0)), (False, (5, 5))):
        async with Pools(database.app_url, reads=1, writes=1, force_custom_plan=forced) as db:
            for number in range(10):
                params = {"like": gurus[number % 3].label}
                assert await db.read(gurus[0].id, "SELECT label FROM gurus WHERE label LIKE %(like)s", params) == (
                    [("alpha",)] if number % 3 == 0 else []
                )
            async with db.reads.connection() as conn:
                assert await (await conn.execute(plans)).fetchone() == expected
                mode = await (await conn.execute("SHOW plan_cache_mode")).fetchone()
                assert mode == ("auto",)


@pytest.mark.parametrize(
    ("statement", "params"),
    [
        ("SELECT 1 / %s", [0]),
        ("SELECT %s::uuid", ["no uuid"]),
        ("SELEC 1", []),
        ("SELECT * FROM nowhere", []),
        ("INSERT INTO gurus (id, label, character, category) VALUES (%s, 'x', 'x', 'x')", [UUID(int=5)]),
        ("SELECT %s::text", ["\0"]),
        ("SELECT * FROM dev_mailbox", []),
    ],
)
async def test_failed_read_resets_tenant(
    pools: Pools, gurus: list[SeededGuru], statement: str, params: list[Any]
) -> None:
    for _ in range(3):
        with pytest.raises(psycopg.Error):
            await pools.read(gurus[0].id, statement, params)
        await _assert_no_tenant(pools)
        assert await pools.read(gurus[1].id, OWN) == [(gurus[1].label,)]


async def test_failed_write_is_rolled_back(pools: Pools, gurus: list[SeededGuru]) -> None:
    guru = gurus[0]
    with pytest.raises(psycopg.errors.DivisionByZero):
        await pools.write(
            guru.id,
            "WITH changed AS (UPDATE gurus SET tagline = 'half' WHERE id = %s RETURNING 1)"
            " SELECT 1 / (count(*) - 1) FROM changed",
            [guru.id],
        )
    assert await pools.read(guru.id, "SELECT tagline FROM gurus") == [(f"tagline {guru.mark}",)]


async def test_read_after_schema_change_succeeds(pools: Pools, gurus: list[SeededGuru], database: Database) -> None:
    query = "SELECT * FROM daily_salts"
    for _ in range(4):
        assert await pools.read(None, query) == []
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        conn.execute("ALTER TABLE daily_salts ADD COLUMN spare integer")
    try:
        for _ in range(3):
            assert await pools.read(None, query) == []
    finally:
        with psycopg.connect(database.owner_url, autocommit=True) as conn:
            conn.execute("ALTER TABLE daily_salts DROP COLUMN spare")
    assert await pools.read(None, query) == []


async def test_canceled_reads_never_mix_tenants(database: Database, gurus: list[SeededGuru]) -> None:
    chance = random.Random(7)
    slow = "SELECT label, pg_sleep(%s) FROM gurus"
    mixed: list[Any] = []

    async def read_own(db: Pools, guru: SeededGuru) -> None:
        rows = await db.read(guru.id, slow, [chance.choice([0, 0, 0.001, 0.003])])
        if [label for label, _ in rows] != [guru.label]:
            mixed.append((guru.label, rows))

    async with Pools(database.app_url, reads=3, writes=1) as db:
        for _ in range(40):
            tasks = [asyncio.create_task(read_own(db, chance.choice(gurus))) for _ in range(10)]
            await asyncio.sleep(chance.random() * 0.004)
            for task in chance.sample(tasks, 3):
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert mixed == []
        await _assert_no_tenant(db)
        assert [await db.read(guru.id, OWN) for guru in gurus] == [[(guru.label,)] for guru in gurus]


async def test_read_on_killed_connection_reconnects(pools: Pools, gurus: list[SeededGuru], database: Database) -> None:
    pid = await pools.read_value(int, gurus[0].id, "SELECT pg_backend_pid()")
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    assert await pools.read(gurus[0].id, OWN) == [("alpha",)]


async def test_read_after_restart_skips_all_dead_connections(database: Database, gurus: list[SeededGuru]) -> None:
    async with Pools(database.app_url, reads=4, writes=4) as pools, AsyncExitStack() as taken:
        for pool in (pools.reads, pools.writes):
            held = [await taken.enter_async_context(pool.connection()) for _ in range(4)]
            pids = [conn.info.backend_pid for conn in held]
            await taken.aclose()
            with psycopg.connect(database.superuser_url, autocommit=True) as conn:
                for pid in pids:
                    conn.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
            call = pools.read if pool is pools.reads else pools.write
            assert await call(gurus[0].id, OWN) == [("alpha",)]


async def test_read_with_exhausted_pool_is_unavailable(
    database: Database, gurus: list[SeededGuru], production_timeouts: None
) -> None:
    async with Pools(database.app_url, reads=1, writes=1) as pools:
        async with pools.reads.connection():
            with pytest.raises(Unavailable) as error:
                await pools.read(gurus[0].id, OWN)
        assert error.value.retry_after
        assert await pools.read(gurus[0].id, OWN) == [("alpha",)]


async def test_unit_of_work_is_atomic_and_resets_tenant(pools: Pools, gurus: list[SeededGuru]) -> None:
    guru = gurus[2]
    change = text("UPDATE gurus SET tagline = :words WHERE id = :id")

    async def fail(error: type[BaseException]) -> None:
        async with unit_of_work(pools, tenant_id=guru.id) as session:
            await session.execute(change, {"words": "half", "id": guru.id})
            raise error

    for error in (RuntimeError, asyncio.CancelledError):
        with pytest.raises(error):
            await fail(error)
    assert await pools.read(guru.id, "SELECT tagline FROM gurus") == [(f"tagline {guru.mark}",)]
    async with unit_of_work(pools, tenant_id=guru.id) as session:
        await session.execute(change, {"words": "whole", "id": guru.id})
        await session.execute(change, {"words": "foreign", "id": gurus[0].id})
    assert await pools.read(guru.id, "SELECT tagline FROM gurus") == [("whole",)]
    assert await pools.read(gurus[0].id, "SELECT tagline FROM gurus") == [(f"tagline {gurus[0].mark}",)]
    async with pools.engine.connect() as conn:
        assert (await conn.execute(text(TENANT_SETTING))).one() == ("", "")
        assert (await conn.execute(text(OWN))).all() == []


async def test_unit_of_work_on_locked_row_is_unavailable(
    pools: Pools, gurus: list[SeededGuru], database: Database
) -> None:
    async def change() -> None:
        async with unit_of_work(pools, tenant_id=gurus[0].id) as session:
            await session.execute(text("SET LOCAL lock_timeout = '50ms'"))
            await session.execute(text("UPDATE gurus SET tagline = 'x' WHERE id = :id"), {"id": gurus[0].id})

    with psycopg.connect(database.service_url) as holder:
        holder.execute("SELECT * FROM gurus WHERE id = %s FOR UPDATE", [gurus[0].id])
        with pytest.raises(Unavailable):
            await change()
