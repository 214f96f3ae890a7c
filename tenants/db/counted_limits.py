"""Limits that count rows. Requests of one owner at the same moment take turns, so that each counts the other's row."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(CAST(:counted AS text), 0))")


async def lock_count(session: AsyncSession, what: str, owner_id: UUID) -> None:
    """Lock the count of an owner's rows until the transaction ends. Call it before the statement that counts."""
    await session.execute(_LOCK, {"counted": f"{what} {owner_id}"})
