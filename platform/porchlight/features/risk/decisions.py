"""Decisions of staff on activities that the risk engine does not know, cached in every process.

A NOTIFY tells all processes of a new decision within about a millisecond.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from uuid import UUID

from porchlight.contracts import MAX_ACTIVITY_CHARACTERS, RISK_LEVELS, RiskLevel
from tenants.db.pool import Database
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log
from tenants.kit.text import normalize_text
from tenants.tenancy.directory import TTL_SECONDS, TTL_WHEN_DISCONNECTED_SECONDS

RISK_DECISIONS_ID = UUID("00000000-0000-7000-8000-000000000011")  # the tenant id in the NOTIFY of a decision
MAX_CATEGORY_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class RiskPhrase:
    """The normalized and truncated text of an activity in the queue. `digest` is its hash."""

    category: str
    activity: str
    digest: bytes


@lru_cache(maxsize=4_000)
def phrase_of(category: str, activity: str) -> RiskPhrase:
    """Return the phrase that represents an activity in the queue."""
    category = normalize_text(category)[:MAX_CATEGORY_CHARACTERS]
    activity = normalize_text(activity)[:MAX_ACTIVITY_CHARACTERS]
    return RiskPhrase(category, activity, blake2b(f"{category}\n{activity}".encode(), digest_size=16).digest())


def effective_level(activity: str, level: RiskLevel) -> RiskLevel:
    """Return `level`, but at least medium for a truncated activity: staff did not see all of its text."""
    return "medium" if level == "low" and len(activity) >= MAX_ACTIVITY_CHARACTERS else level


class Decisions:
    """All decisions, by the digest of their phrase."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._levels: dict[bytes, RiskLevel] = {}
        self._expires_at = 0.0
        self._ttl = TTL_WHEN_DISCONNECTED_SECONDS  # until the listener connects
        self._generation = 0
        self._lock = asyncio.Lock()

    async def level_of(self, *phrases: RiskPhrase) -> RiskLevel | None:
        """Return the highest level decided for one of `phrases`, or None without a decision.

        While the database is unavailable, the cached decisions apply.
        """
        if time.monotonic() >= self._expires_at:
            await self._load()
        levels = [
            effective_level(phrase.activity, self._levels[phrase.digest])
            for phrase in phrases
            if phrase.digest in self._levels
        ]
        return max(levels, key=RISK_LEVELS.index, default=None)

    async def _load(self) -> None:
        async with self._lock:
            if time.monotonic() < self._expires_at:
                return
            generation = self._generation
            try:
                rows = await self._db.read(None, "SELECT digest, level FROM risk_reviews WHERE level IS NOT NULL")
            except Unavailable:
                log.warning("risk_decisions_not_read")
                self._expires_at = time.monotonic() + TTL_WHEN_DISCONNECTED_SECONDS
                return
            self._levels = {bytes(digest): level for digest, level in rows}
            if generation == self._generation:  # otherwise the rows may be older than the last notification
                self._expires_at = time.monotonic() + self._ttl

    def on_change(self) -> None:
        """Expire the cache after a decision."""
        self._generation += 1
        self._expires_at = 0.0

    def on_connection_change(self, connected: bool) -> None:
        """Expire the cache when the listener connects or disconnects: notifications may have been missed."""
        self._ttl = TTL_SECONDS if connected else TTL_WHEN_DISCONNECTED_SECONDS
        self.on_change()
