"""One round trip: what is sent comes back as it was, nothing leaks, and whatever goes wrong the pool stays usable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest

from tenants.kit.db import Database
from tenants.kit.errors import Unavailable
from tests.support.databases import Database as Made

TENANT = uuid4()


@pytest.fixture
async def db(database: Made) -> AsyncIterator[Database]:
    async with Database(database.app_url, reads=1, writes=1) as opened:
        yield opened


async def setting(db: Database) -> str | None:
    rows = await db.read(None, "SELECT current_setting('app.tenant_id', true)")
    found: str | None = rows[0][0]
    return found


async def backend(db: Database) -> int:
    rows = await db.read(None, "SELECT pg_backend_pid()")
    pid: int = rows[0][0]
    return pid


async def test_the_tenant_is_set_for_just_the_statement(db: Database) -> None:
    rows = await db.read(TENANT, "SELECT app.tid(), %s::int + 1", [41])
    assert rows == [(TENANT, 42)]
    assert await setting(db) == ""
    async with db.reads.connection() as conn:
        row = await (await conn.execute("SELECT app.tid()")).fetchone()
    assert row == (None,)


async def test_values_of_every_kind_come_back_as_they_were(db: Database) -> None:
    at = datetime(2026, 10, 3, 9, 30, tzinfo=UTC)
    values = {
        "text": "cr\u00e8me % $1 'x'",
        "none": None,
        "number": 70_000_000_000,
        "small": 3,
        "truth": True,
        "bytes": b"\x00\xff",
        "at": at,
        "id": TENANT,
        "ids": [TENANT, UUID(int=0)],
        "words": ["a", "b,c"],
        "json": '{"a": [1, null]}',
    }
    query = (
        "SELECT %(text)s::text, %(none)s::text, %(number)s::bigint, %(small)s::int, %(truth)s::bool, %(bytes)s::bytea,"
        " %(at)s::timestamptz, %(id)s::uuid, %(ids)s::uuid[], %(words)s::text[], %(json)s::json, %(small)s::int,"
        " 7 %% 4, '100%%'"
    )
    for _ in range(3):  # prepared first, then by its name
        rows = await db.read(None, query, values)
        assert rows == [(*list(values.values())[:-1], {"a": [1, None]}, 3, 3, "100%")]


async def test_one_statement_takes_values_of_different_types(db: Database) -> None:
    for value in (1, 100_000, 10**12, 1, None):
        assert await db.read(None, "SELECT %s::bigint", [value]) == [(value,)]


async def test_a_statement_without_rows_answers_none(db: Database) -> None:
    assert await db.read(None, "SELECT 1 WHERE false") == []
    assert await db.write(None, "DELETE FROM leads WHERE tenant_id = %s", [TENANT]) == []


async def test_an_error_leaves_the_connection_as_it_was(db: Database) -> None:
    before = await backend(db)
    with pytest.raises(psycopg.errors.DivisionByZero):
        await db.read(TENANT, "SELECT 1 / %s::int", [0])
    with pytest.raises(psycopg.errors.SyntaxError):
        await db.read(TENANT, "SELECT FROM WHERE")
    with pytest.raises(psycopg.DataError):
        await db.read(TENANT, "SELECT %s::text", ["a\0b"])
    assert await db.read(TENANT, "SELECT 1 / %s::int", [1]) == [(1,)]
    assert await setting(db) == ""
    assert await backend(db) == before


async def test_a_write_that_fails_writes_nothing(db: Database) -> None:
    day = datetime(2001, 1, 1, tzinfo=UTC).date()
    put = "INSERT INTO daily_salts (day, salt) VALUES (%s, %s) RETURNING 1 / %s::int"
    with pytest.raises(psycopg.errors.DivisionByZero):
        await db.write(None, put, [day, b"x", 0])
    assert await db.read(None, "SELECT count(*) FROM daily_salts WHERE day = %s", [day]) == [(0,)]


async def test_a_cancelled_request_leaves_a_usable_pool(db: Database, database: Made) -> None:
    asked = asyncio.create_task(db.read(TENANT, "SELECT pg_sleep(%s)", [30.0]))
    with psycopg.connect(database.superuser_url, autocommit=True) as boss:
        async with asyncio.timeout(10):
            while not boss.execute(
                "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND query LIKE %s AND wait_event = 'PgSleep'",
                [database.name, "%pg_sleep($1)%"],
            ).fetchone():
                await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert await db.read(TENANT, "SELECT app.tid()") == [(TENANT,)]
    assert await setting(db) == ""


async def test_too_slow_a_statement_is_a_pause_for_the_client(db: Database) -> None:
    async with db.reads.connection() as conn:
        await conn.execute("SET statement_timeout = '50ms'")
    with pytest.raises(Unavailable):
        await db.read(TENANT, "SELECT pg_sleep(5)")
    assert await db.read(TENANT, "SELECT app.tid()") == [(TENANT,)]


async def test_a_dead_connection_is_replaced_within_the_request(db: Database, database: Made) -> None:
    pid = await backend(db)
    with psycopg.connect(database.superuser_url, autocommit=True) as boss:
        boss.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    assert await db.read(TENANT, "SELECT app.tid()") == [(TENANT,)]
    assert await backend(db) != pid


async def test_statements_survive_a_changed_schema_and_a_forgetful_server(db: Database, database: Made) -> None:
    query = "SELECT * FROM daily_salts WHERE day = '2002-02-02'"
    assert await db.read(None, query) == []
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("ALTER TABLE daily_salts ADD COLUMN added text")
    assert await db.read(None, query) == []
    async with db.reads.connection() as conn:
        await conn.execute("DEALLOCATE ALL")
    assert await db.read(None, query) == []
