"""Turns of uploads: an owner's own order, turns between owners, limits, and people who leave."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest

from tenants.kit import clock
from tenants.kit.errors import Unavailable
from tenants.kit.fair_queue import HOUR, Budget, FairQueue, TooManyThisHour, TooManyUploads


class Uploads:
    """Uploads in a queue, each of which runs until `finish` ends the oldest that runs."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.started: list[str] = []
        self._running: list[asyncio.Event] = []

    async def start(self, *owners: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._upload(owner)) for owner in owners]
        await self.settle()
        return tasks

    async def finish(self) -> None:
        self._running.pop(0).set()
        await self.settle()

    async def finish_all(self) -> None:
        while self._running:
            await self.finish()

    @staticmethod
    async def settle() -> None:
        for _ in range(6):  # until each task has run as far as it can
            await asyncio.sleep(0)

    async def _upload(self, owner: str) -> None:
        async with self.queue.turn(owner):
            self.started.append(owner)
            end = asyncio.Event()
            self._running.append(end)
            await end.wait()


async def test_turns_go_round_the_owners() -> None:
    uploads = Uploads(FairQueue(1, max_waiting=12))
    await uploads.start(*["ada"] * 12, "ben", "cleo", "ben")
    await uploads.finish_all()
    assert uploads.started == ["ada", "ben", "cleo", "ada", "ben", *["ada"] * 10]


async def test_uploads_of_one_owner_use_one_slot() -> None:
    uploads = Uploads(FairQueue(2))
    await uploads.start("ada", "ada", "ada")
    assert uploads.started == ["ada"]
    await uploads.start("ben")
    assert uploads.started == ["ada", "ben"]
    await uploads.finish_all()
    assert uploads.started == ["ada", "ben", "ada", "ada"]


async def test_waiting_uploads_are_limited() -> None:
    uploads = Uploads(FairQueue(1, max_waiting=2, max_total=3))
    tasks = await uploads.start("ada", "ada", "ada", "ada", "ben", "cleo")
    errors = [task.exception() if task.done() else None for task in tasks]
    assert [type(error) for error in errors] == [*[type(None)] * 3, TooManyUploads, type(None), Unavailable]
    await uploads.finish_all()
    assert uploads.started == ["ada", "ben", "ada", "ada"]


@pytest.mark.parametrize("seed", range(20))
async def test_canceled_uploads_leave_the_queue(seed: int) -> None:
    chance = random.Random(seed)
    queue = FairQueue(2, max_waiting=100, max_total=100)
    running: Counter[str] = Counter()
    most: list[int] = []

    async def upload(owner: str) -> None:
        async with queue.turn(owner):
            running[owner] += 1
            most.append(sum(running.values()))
            assert running[owner] == 1
            try:
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
            finally:
                running[owner] -= 1

    tasks = [asyncio.create_task(upload(chance.choice("abcd"))) for _ in range(40)]
    while any(not task.done() for task in tasks):
        await asyncio.sleep(0)
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
    results: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(result) for result in results} <= {type(None), asyncio.CancelledError}
    assert max(most, default=0) <= 2
    later = Uploads(queue)
    await later.start("ada", "ben")
    assert later.started == ["ada", "ben"]
    await later.finish_all()


def test_budget_is_counted_for_each_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    start = clock.now()
    monkeypatch.setattr(clock, "now", lambda: start)
    budget = Budget(2)
    for owner in ("one", "one", "other"):
        budget.take(owner)
    with pytest.raises(TooManyThisHour) as refused:
        budget.take("one")
    assert (refused.value.code, refused.value.retry_after) == ("uploads_used", HOUR.total_seconds())
    budget.take("other")
    monkeypatch.setattr(clock, "now", lambda: start + HOUR)
    budget.take("one")
