"""Runs the models for requests, in one thread of the process, so that the event loop stays free."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from tenants.kit.errors import Unavailable

Result = TypeVar("Result")
MAX_CALLS = 32  # waiting and running; a call for one question takes about 5 ms


class ModelThread:
    """One thread, because the models take turns anyway."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="model")
        self._free = BoundedSemaphore(MAX_CALLS)

    async def run(self, call: Callable[[], Result], timeout_seconds: float) -> Result:
        """Return the result of `call`. Raises Unavailable if too many calls wait, or at the timeout."""
        if not self._free.acquire(blocking=False):
            raise Unavailable
        future = self._executor.submit(call)
        future.add_done_callback(lambda _future: self._free.release())
        try:
            async with asyncio.timeout(timeout_seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            raise Unavailable from error
