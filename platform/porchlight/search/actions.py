"""Searches that neighbours keep."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.search.models import SavedSearch
from porchlight.search.schemas import Filters, SavedAnswer, SavedPayload
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

MOST = 20  # of one neighbour


class TooManySaved(Conflict):
    """One more would be over the limit."""

    code = "too_many_saved"
    message = "You keep 20 searches already. Remove one first."


async def save_search(session: AsyncSession, user_id: UUID, sent: SavedPayload) -> None:
    """Keep a search; the same one is kept once. Raises TooManySaved."""
    filters = sent.model_dump(mode="json", by_alias=True, exclude={"q"}, exclude_defaults=True)
    known = await session.scalar(
        select(SavedSearch.id).where(
            SavedSearch.user_id == user_id, SavedSearch.words == sent.q, SavedSearch.filters == filters
        )
    )
    if known is not None:
        return
    kept = await session.scalar(select(func.count()).select_from(SavedSearch).where(SavedSearch.user_id == user_id))
    if (kept or 0) >= MOST:
        raise TooManySaved
    await session.execute(insert(SavedSearch).values(user_id=user_id, id=new_id(), words=sent.q, filters=filters))


async def drop_search(session: AsyncSession, user_id: UUID, search_id: UUID) -> None:
    """Keep it no longer. Raises NotFound."""
    gone = await session.scalar(
        delete(SavedSearch).where(SavedSearch.user_id == user_id, SavedSearch.id == search_id).returning(SavedSearch.id)
    )
    if gone is None:
        raise NotFound


async def saved_searches(session: AsyncSession, user_id: UUID) -> list[SavedAnswer]:
    """What somebody keeps, the newest first."""
    found = await session.scalars(
        select(SavedSearch).where(SavedSearch.user_id == user_id).order_by(SavedSearch.created_at.desc())
    )
    return [
        SavedAnswer(
            id=str(one.id),
            q=one.words,
            filters=Filters.model_validate(one.filters),
            created_at=one.created_at.isoformat(),
        )
        for one in found
    ]
