"""A database that hangs: requests fail within the timeout, and succeed afterwards."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
from sqlalchemy import text

from tenants.db.pool import Database as Pools
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.errors import Unavailable
from tests.fixtures.databases import Database

MAX_SECONDS = 12.0  # the product's three seconds, with a margin for a busy machine; without a timeout it never ends
PID = text("SELECT pg_backend_pid()")


@pytest.fixture
async def pools(database: Database, production_timeouts: None) -> AsyncIterator[Pools]:
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


async def test_unit_of_work_on_hung_connection_does_not_start(pools: Pools) -> None:
    with hung(await _pid(pools)):
        started_at = time.monotonic()
        with pytest.raises(Unavailable):
            await _pid(pools)
        assert time.monotonic() - started_at < MAX_SECONDS
        assert await _pid(pools)  # on another connection
    assert await _pid(pools)


async def test_unit_of_work_ends_when_connection_hangs(pools: Pools) -> None:
    hung_at = 0.0

    async def hang(stack: contextlib.ExitStack) -> None:
        nonlocal hung_at
        async with unit_of_work(pools) as session:
            stack.enter_context(hung(int((await session.execute(PID)).scalar_one())))
            hung_at = time.monotonic()
            await session.execute(text("SELECT 1"))

    with contextlib.ExitStack() as stack:
        with pytest.raises(Unavailable):
            await hang(stack)
        assert 0 < time.monotonic() - hung_at < MAX_SECONDS
        assert await _pid(pools)


@pytest.mark.parametrize(("factor", "seconds"), [("", "2.7"), ("10", "27.0")])
def test_timeout_factor_extends_timeouts(factor: str, seconds: str) -> None:
    """The factor is read at import, so each one needs a process of its own."""
    code = "from tenants.db.timeouts import READ_TIMEOUT_SECONDS as seconds; print(seconds)"
    env = os.environ | {"PORCHLIGHT_TIMEOUT_FACTOR": factor}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == seconds
