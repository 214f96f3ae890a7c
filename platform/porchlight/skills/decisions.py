"""What staff decided on activities that the engine does not know: in every worker about 1 ms after it was decided."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from porchlight.logs import log
from porchlight.skills.catalogue import LEVELS, Level, folded
from tenants.directory import TTL, TTL_DEAF
from tenants.kit.db import Database
from tenants.kit.errors import Unavailable

CHANGED = UUID("00000000-0000-7000-8000-000000000011")  # as whose change the listener tells of a decision
KEPT = 300  # characters of a description: enough to rate it by
_CATEGORY = 120


@dataclass(frozen=True, slots=True)
class Phrase:
    """What waits in the queue and is decided: folded words, at most `KEPT` of the activity's characters."""

    category: str
    activity: str
    digest: bytes


@lru_cache(maxsize=4_000)
def phrase_of(category: str, activity: str) -> Phrase:
    """The phrase that an activity counts as."""
    shown_category, shown = folded(category)[:_CATEGORY], folded(activity)[:KEPT]
    return Phrase(shown_category, shown, blake2b(f"{shown_category}\n{shown}".encode(), digest_size=16).digest())


def counted(activity: str, level: Level) -> Level:
    """A decision as it counts for what was kept of `activity`: never low where nobody has seen all of it."""
    return "medium" if level == "low" and len(activity) >= KEPT else level


class Decisions:
    """All decisions there are, as many as staff have made one by one, by their phrases' digests."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._levels: dict[bytes, Level] = {}
        self._until = 0.0
        self._ttl = TTL_DEAF  # until a listener says that it listens
        self._generation = 0
        self._asking = asyncio.Lock()

    async def on(self, *phrases: Phrase) -> Level | None:
        """The highest level that staff decided for one of these phrases; None while they have decided for none.

        What was known last counts on while the database is out.
        """
        if time.monotonic() >= self._until:
            await self._ask()
        found = [
            counted(phrase.activity, self._levels[phrase.digest]) for phrase in phrases if phrase.digest in self._levels
        ]
        return max(found, key=LEVELS.index, default=None)

    async def _ask(self) -> None:
        async with self._asking:
            if time.monotonic() < self._until:
                return
            asked_in = self._generation
            try:
                rows = await self._db.read(None, "SELECT digest, level FROM app.risk_decisions()")
            except Unavailable:
                log.warning("risk_decisions_not_read")
                self._until = time.monotonic() + TTL_DEAF
                return
            self._levels = {bytes(digest): level for digest, level in rows}
            if asked_in == self._generation:  # else it may be older than the change we were just told of
                self._until = time.monotonic() + self._ttl

    def changed(self) -> None:
        """Something was decided: ask again."""
        self._generation += 1
        self._until = 0.0

    def heard(self, listening: bool) -> None:
        """The listening connection came up or went down: what was decided meanwhile was not told."""
        self._ttl = TTL if listening else TTL_DEAF
        self.changed()
