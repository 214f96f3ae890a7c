"""Answers to swap rings."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.matches.models import SwapRingMember
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound

_LOCK = text("SELECT app.lock_swap_ring(:me, :ring)")
_SETTLE = text("SELECT app.settle_swap_ring(:ring)")


class RingOver(Conflict):
    """The ring was settled before."""

    code = "ring_over"
    message = "This swap ring is settled already."


async def answer_ring(session: AsyncSession, user_id: UUID, ring_id: UUID, said: str) -> None:
    """Accept or decline; one refusal ends the ring, three acceptances make it. Raises NotFound, RingOver.

    The ring's row is locked first, so that of answers at the same moment the last one settles it.
    """
    state = await session.scalar(_LOCK, {"me": user_id, "ring": ring_id})
    if state is None:
        raise NotFound
    if state != "proposed":
        raise RingOver
    await session.execute(
        update(SwapRingMember)
        .where(SwapRingMember.user_id == user_id, SwapRingMember.ring_id == ring_id)
        .values(answer=said, answered_at=clock.now())
    )
    await session.execute(_SETTLE, {"ring": ring_id})
