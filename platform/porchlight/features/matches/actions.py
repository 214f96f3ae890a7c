"""Write answers to swap rings."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.matches.models import SwapRingMember
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound

_LOCK = text("SELECT app.lock_swap_ring(:me, :ring)")
_SETTLE = text("SELECT app.settle_swap_ring(:ring)")


class RingClosed(Conflict):
    """The ring is not open for answers any more."""

    code = "ring_closed"
    message = "This three-way swap is already closed."


async def respond_to_ring(session: AsyncSession, user_id: UUID, ring_id: UUID, answer: str) -> None:
    """Accept or decline a ring. One refusal declines the ring; three acceptances make it agreed.

    Locks the ring, so that the last of simultaneous answers settles it. Raises NotFound, RingClosed.
    """
    state = await session.scalar(_LOCK, {"me": user_id, "ring": ring_id})
    if state is None:
        raise NotFound
    if state != "proposed":
        raise RingClosed
    await session.execute(
        update(SwapRingMember)
        .where(SwapRingMember.user_id == user_id, SwapRingMember.ring_id == ring_id)
        .values(answer=answer, answered_at=clock.now())
    )
    await session.execute(_SETTLE, {"ring": ring_id})
