"""Waiting in a request for the outcome of a write that the worker sends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

FIRST_SECONDS, MAX_SECONDS = 0.1, 1.0  # between two reads; the provider takes a third of a second
GROWTH = 2.0


async def wait_until_settled(read: Callable[[], Awaitable[T]], is_open: Callable[[T], bool], deadline: float) -> T:
    """Return what `read` returns once it is not open, or what it is at `deadline` (time.monotonic).

    Between two reads nothing is held, and they get rarer: while the provider hangs, many requests wait.
    """
    pause = FIRST_SECONDS
    while is_open(found := await read()) and (left := deadline - time.monotonic()) > 0:
        await asyncio.sleep(min(pause, left))
        pause = min(pause * GROWTH, MAX_SECONDS)
    return found
