"""Which guru a person runs."""

from __future__ import annotations

from uuid import UUID

from porchlight.parts import OwnedGuru
from tenants.kit.db import Database

_GURU_OF = "SELECT tenant_id, label, status FROM app.guru_of(%s)"


class StoredOwnership:
    """Ownership as the database has it, asked anew each time: it decides what a person may touch."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, user_id: UUID) -> OwnedGuru | None:
        """The guru the person owns, whatever its status."""
        rows = await self._db.read(None, _GURU_OF, [user_id])
        return OwnedGuru(*rows[0]) if rows else None
