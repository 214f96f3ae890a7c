"""The implementation of the `Flags` protocol: cached values from the database.

A NOTIFY tells all processes of a change within about a millisecond.
"""

from __future__ import annotations

import time
from uuid import UUID

from porchlight.flags.defaults import DEFAULTS
from tenants.db.pool import Database

TTL_SECONDS = 5.0  # where a notification was missed
FLAGS_ID = UUID("00000000-0000-7000-8000-000000000012")  # the tenant id in the NOTIFY of a change
_MAX_CACHED_GURUS = 1000

# The guru's values come last and replace the global ones.
_SELECT_FLAGS = """
SELECT name, enabled FROM (
  SELECT name, enabled, 0 AS rank FROM flag_settings
  UNION ALL SELECT name, enabled, 1 FROM guru_flags WHERE tenant_id = %(tenant)s
) f ORDER BY rank"""


class StoredFlags:
    """Reads flags: the defaults, replaced by global values and by the guru's values."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._cache: dict[UUID | None, tuple[float, dict[str, bool]]] = {}
        self._generation = 0

    async def all(self, tenant_id: UUID | None = None) -> dict[str, bool]:
        """Return all flags, globally or for one guru."""
        cached = self._cache.get(tenant_id)
        if cached is not None and time.monotonic() < cached[0]:
            return dict(cached[1])
        generation = self._generation
        rows = await self._db.read(tenant_id, _SELECT_FLAGS, {"tenant": tenant_id})
        flags = DEFAULTS | {name: enabled for name, enabled in rows if name in DEFAULTS}
        if len(self._cache) >= _MAX_CACHED_GURUS:
            self._cache.clear()
        if generation == self._generation:  # otherwise the rows may be older than the last notification
            self._cache[tenant_id] = (time.monotonic() + TTL_SECONDS, flags)
        return dict(flags)

    async def on(self, name: str, tenant_id: UUID | None = None) -> bool:
        """Return whether a flag is on. Raises KeyError for an unknown flag."""
        return (await self.all(tenant_id))[name]

    def on_change(self) -> None:
        """Forget the cached flags after a change."""
        self._generation += 1
        self._cache.clear()
