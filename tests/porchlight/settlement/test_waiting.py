"""Waiting for a write reads ever more rarely, and ends at the deadline."""

from __future__ import annotations

import time

import pytest

from porchlight.settlement import waiting
from porchlight.settlement.waiting import MAX_SECONDS, wait_until_settled


class Clock:
    """A fake of `time.monotonic` and `asyncio.sleep`."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


async def test_wait_until_deadline_reads_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    states = iter(range(1_000))

    async def read() -> int:
        return next(states)

    clock = Clock()
    monkeypatch.setattr(waiting, "time", clock)
    monkeypatch.setattr(waiting, "asyncio", clock)
    found = await wait_until_settled(read, lambda _state: True, 108.0)
    pauses = clock.pauses
    assert (found, clock.now) == (len(pauses), 108.0)
    assert len(pauses) < 20
    assert max(pauses) == MAX_SECONDS


async def test_wait_returns_first_settled_state(monkeypatch: pytest.MonkeyPatch) -> None:
    states = iter(["requested", "requested", "sent", "paid"])

    async def read() -> str:
        return next(states)

    assert await wait_until_settled(read, lambda state: state == "requested", time.monotonic() + 60) == "sent"
