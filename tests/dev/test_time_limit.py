"""The time limit of tests."""

from __future__ import annotations

import asyncio
import inspect
import traceback

import pytest

from tests.fixtures.time_limit import LIMIT_SECONDS, limited


async def wait_forever(name: str) -> None:
    assert name == "fixture"
    await asyncio.Event().wait()


async def test_limited_test_without_end_names_its_line() -> None:
    with pytest.raises(TimeoutError) as failure:
        await limited(wait_forever, 0.01)(name="fixture")
    cause = failure.value.__cause__
    assert isinstance(cause, asyncio.CancelledError)
    lines = [entry.line for entry in traceback.extract_tb(cause.__traceback__)]
    assert "await asyncio.Event().wait()" in lines


async def test_time_limit_applies_to_coroutine_tests(request: pytest.FixtureRequest) -> None:
    inner = inspect.unwrap(request.function)
    assert request.function is not inner
    assert float(str(request.config.getini("faulthandler_timeout"))) > LIMIT_SECONDS
    assert request.config.getini("faulthandler_exit_on_timeout") is True
