"""Finds the skills of bios for requests, with a limit for each user and a cache."""

from __future__ import annotations

from collections import OrderedDict, deque
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import Any, Protocol
from uuid import UUID

from porchlight.embeddings.model_thread import ModelThread
from porchlight.ports import EmbeddingOutage
from tenants.kit import clock, timeouts
from tenants.kit.errors import Unavailable
from tenants.kit.logs import log

MAX_BIOS_PER_HOUR = 20  # of one user, in one process; a bio read before is free
_MAX_CACHED = 2_000  # bios, and users


class Finder(Protocol):
    """Finds the skills that a bio is about."""

    def find(self, bio: str) -> list[str]:
        """Return the skills, the surest first. Blocking. Raises EmbeddingOutage."""


class LimitedBioSkills:
    """Finds the skills of bios. `finder` None: no model is installed, and no bio has any."""

    def __init__(self, finder: Finder | None) -> None:
        self._finder = finder
        self._thread = ModelThread()
        self._found: OrderedDict[bytes, list[str]] = OrderedDict()
        self._read: OrderedDict[UUID, deque[datetime]] = OrderedDict()

    async def of(self, bio: str, user_id: UUID) -> list[str]:
        """Return the skills of a bio (`porchlight.ports.BioSkills`)."""
        if self._finder is None or not bio.strip():
            return []
        digest = blake2b(bio.encode(), digest_size=16).digest()
        if digest in self._found:
            return self._found[digest]
        if not self._allows(user_id):
            log.info("bio_skills_limited")
            return []
        try:
            skills = await self._thread.run(partial(self._finder.find, bio), timeouts.current.bio_skills_seconds)
        except (Unavailable, EmbeddingOutage):
            log.info("bio_skills_unavailable")
            return []
        self._found[digest] = skills
        _drop_oldest(self._found)
        return skills

    def _allows(self, user_id: UUID) -> bool:
        read = self._read.setdefault(user_id, deque(maxlen=MAX_BIOS_PER_HOUR))
        self._read.move_to_end(user_id)
        _drop_oldest(self._read)
        now = clock.now()
        if len(read) == MAX_BIOS_PER_HOUR and now - read[0] < timedelta(hours=1):
            return False
        read.append(now)
        return True


def _drop_oldest(cached: OrderedDict[Any, Any]) -> None:
    while len(cached) > _MAX_CACHED:
        cached.popitem(last=False)
