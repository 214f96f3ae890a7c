"""Which flags are on, here and now."""

from __future__ import annotations

import time
from uuid import UUID

from porchlight.flags.catalogue import DEFAULTS
from tenants.kit.db import Database

TTL = 5.0  # seconds after which `porchlight flags set` is felt in every worker
_MOST = 1000  # gurus whose flags are remembered at once

# What is set for the guru alone comes last, so that it wins.
_SET = """
SELECT name, enabled FROM (
  SELECT name, enabled, 0 AS rank FROM flag_settings
  UNION ALL SELECT name, enabled, 1 FROM guru_flags WHERE tenant_id = %(tenant)s
) f ORDER BY rank"""


class StoredFlags:
    """The defaults with what an operator set over them."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: dict[UUID | None, tuple[float, dict[str, bool]]] = {}

    async def all(self, tenant_id: UUID | None = None) -> dict[str, bool]:
        """Every flag, for everybody or as one guru has it. At most five seconds old."""
        known = self._known.get(tenant_id)
        if known is not None and time.monotonic() < known[0]:
            return dict(known[1])
        rows = await self._db.read(tenant_id, _SET, {"tenant": tenant_id})
        flags = DEFAULTS | {name: enabled for name, enabled in rows if name in DEFAULTS}
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[tenant_id] = (time.monotonic() + TTL, flags)
        return dict(flags)

    async def on(self, name: str, tenant_id: UUID | None = None) -> bool:
        """Whether one flag is on. Raises KeyError for a name that is no flag."""
        return (await self.all(tenant_id))[name]
