"""A database whose processes are there and say nothing, as on a machine that hangs: refused soon, then well again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
from sqlalchemy import text

from tenants.kit.db import Database as Pools
from tenants.kit.errors import Unavailable
from tenants.session import unit_of_work
from tests.support.databases import Database

WITHIN = 12.0  # seconds: its patience of three, and what a busy machine makes of it; without any it is for ever
PID = text("SELECT pg_backend_pid()")


@pytest.fixture
async def pools(database: Database, product_patience: None) -> AsyncIterator[Pools]:
    async with Pools(database.app_url) as db:
        yield db


@contextlib.contextmanager
def hung(pid: int) -> Iterator[None]:
    backend = psutil.Process(pid)
    backend.suspend()
    try:
        yield
    finally:
        backend.resume()


async def _pid(pools: Pools) -> int:
    async with unit_of_work(pools) as session:
        return int((await session.execute(PID)).scalar_one())


async def test_a_unit_of_work_does_not_begin_on_a_hung_connection(pools: Pools) -> None:
    with hung(await _pid(pools)):
        began = time.monotonic()
        with pytest.raises(Unavailable):
            await _pid(pools)
        assert time.monotonic() - began < WITHIN
        assert await _pid(pools)  # on another connection
    assert await _pid(pools)


async def test_a_unit_of_work_ends_when_its_connection_hangs(pools: Pools) -> None:
    hanging_since = 0.0

    async def hang(stack: contextlib.ExitStack) -> None:
        nonlocal hanging_since
        async with unit_of_work(pools) as session:
            stack.enter_context(hung(int((await session.execute(PID)).scalar_one())))
            hanging_since = time.monotonic()
            await session.execute(text("SELECT 1"))

    with contextlib.ExitStack() as stack:
        with pytest.raises(Unavailable):
            await hang(stack)
        assert 0 < time.monotonic() - hanging_since < WITHIN
        assert await _pid(pools)
