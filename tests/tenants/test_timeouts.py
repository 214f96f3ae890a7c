"""A database that hangs: requests fail within the timeout, and succeed afterwards."""

from __future__ import annotations

import contextlib
import dataclasses
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
from tenants.kit import timeouts
from tenants.kit.errors import Unavailable
from tests import TEST_FACTOR
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


@pytest.mark.parametrize(("factor", "seconds"), [("", "2.7 2.0"), ("10", "27.0 2.0")])
def test_timeout_factor_extends_timeouts(factor: str, seconds: str) -> None:
    """The factor is read at import, so each one needs a process of its own."""
    code = "from tenants.kit.timeouts import current; print(current.read_seconds, current.reconnect_seconds)"
    env = os.environ | {"PORCHLIGHT_TIMEOUT_FACTOR": factor}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == seconds


def test_timeouts_of_tests_are_extended() -> None:
    """A busy machine fails no unrelated test. Programs that tests start have production's timeouts."""
    assert timeouts.current.read_seconds == timeouts.Timeouts().read_seconds * float(TEST_FACTOR)
    assert os.environ.get("PORCHLIGHT_TIMEOUT_FACTOR") is None


def test_extended_timeouts_keep_order_and_units() -> None:
    """A hung server is noticed by the outermost wait last."""
    for one in (timeouts.Timeouts(), timeouts.current):
        assert one.app_lock_ms < one.app_statement_ms < one.read_seconds * 1000
        assert one.pool_seconds < one.pipeline_seconds < one.acquire_seconds < one.read_seconds
        assert isinstance(one.connect_seconds, int)
    names = [field.name for field in dataclasses.fields(timeouts.Timeouts)]
    assert [name for name in names if not name.endswith(("_seconds", "_ms"))] == []
