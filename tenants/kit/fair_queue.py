"""A queue for expensive work, in which people take turns: the uploads of one never hold up those of another."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from tenants.kit import clock
from tenants.kit.errors import Limited, Unavailable

RETRY_AFTER_SECONDS = 5
HOUR = timedelta(hours=1)


class TooManyThisHour(Limited):
    """A person has uploaded as many pictures as are allowed within an hour."""

    code = "uploads_used"
    message = "You've uploaded a lot of pictures within an hour. Please try again later."


class TooManyUploads(Limited):
    """A person has more uploads waiting than the queue keeps for one."""

    code = "too_many_uploads"
    message = "We're still working on what you sent before. Wait a moment and try again."


class Budget:
    """Counts each owner's pieces of work of the last hour in this process, before they are done."""

    def __init__(self, per_hour: int) -> None:
        self._per_hour = per_hour
        self._taken: dict[Hashable, deque[datetime]] = {}

    def take(self, owner: Hashable) -> None:
        """Count a piece of work. Raise TooManyThisHour."""
        now = clock.now()
        for known in list(self._taken):
            self._forget(known, now)
        taken = self._taken.setdefault(owner, deque())
        if len(taken) >= self._per_hour:
            raise TooManyThisHour(retry_after=max(1, int((taken[0] + HOUR - now).total_seconds())))
        taken.append(now)

    def _forget(self, owner: Hashable, now: datetime) -> None:
        taken = self._taken[owner]
        while taken and taken[0] <= now - HOUR:
            taken.popleft()
        if not taken:
            del self._taken[owner]


class FairQueue:
    """Runs `slots` pieces of work at a time: one per owner, and of those who wait, each owner's oldest in turn.

    `max_waiting` bounds what one owner may have waiting, `max_total` what all have.
    """

    def __init__(self, slots: int, *, max_waiting: int = 8, max_total: int = 40) -> None:
        self._free = slots
        self._max_waiting = max_waiting
        self._max_total = max_total
        self._running: set[Hashable] = set()
        self._waiting: dict[Hashable, deque[asyncio.Event]] = {}  # the next owner first

    @asynccontextmanager
    async def turn(self, owner: Hashable) -> AsyncIterator[None]:
        """Wait for the owner's turn, and hold a slot in the block. Raise TooManyUploads and Unavailable."""
        if self._free and owner not in self._running:
            self._start(owner)
        else:
            await self._wait(owner)
        try:
            yield
        finally:
            self._finish(owner)

    async def _wait(self, owner: Hashable) -> None:
        if len(self._waiting.get(owner, ())) >= self._max_waiting:
            raise TooManyUploads(retry_after=RETRY_AFTER_SECONDS)
        if sum(map(len, self._waiting.values())) >= self._max_total:
            raise Unavailable(retry_after=RETRY_AFTER_SECONDS)
        turn = asyncio.Event()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn.wait()
        except asyncio.CancelledError:
            if turn.is_set():
                self._finish(owner)  # the turn came at the same moment
            else:
                self._remove(owner, turn)
            raise

    def _start(self, owner: Hashable) -> None:
        self._free -= 1
        self._running.add(owner)

    def _finish(self, owner: Hashable) -> None:
        self._free += 1
        self._running.discard(owner)
        if owner in self._waiting:
            self._waiting[owner] = self._waiting.pop(owner)  # behind the others
        for candidate in list(self._waiting):
            if not self._free:
                return
            if candidate not in self._running:
                turn = self._waiting[candidate][0]
                self._remove(candidate, turn)
                self._start(candidate)
                turn.set()

    def _remove(self, owner: Hashable, turn: asyncio.Event) -> None:
        turns = self._waiting[owner]
        turns.remove(turn)
        if not turns:
            del self._waiting[owner]
