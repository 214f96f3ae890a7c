"""The implementation of the `Ownership` protocol: finds the guru that a user owns."""

from __future__ import annotations

from uuid import UUID

from porchlight.dependencies import OwnedGuru
from tenants.db.pool import Database

_GURU_OF = "SELECT tenant_id, label, status FROM app.guru_of(%s)"


class StoredOwnership:
    """Reads ownership from the database on every call, uncached, because it decides access."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, user_id: UUID) -> OwnedGuru | None:
        """Return the user's guru in any status, or None."""
        rows = await self._db.read(None, _GURU_OF, [user_id])
        return OwnedGuru(*rows[0]) if rows else None
