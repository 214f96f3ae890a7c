"""Read and write saved searches."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import bindparam, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.search.models import SavedSearch
from porchlight.features.search.queries import match_near
from porchlight.features.search.schemas import Filters, SavedFilters, SavedSearchPayload, SavedSearchResponse
from porchlight.geo.schemas import match_response
from porchlight.ports import Geocoder
from tenants.db.counted_limits import lock_count
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

MAX_SAVED_SEARCHES = 20  # per user

# Built once, because that takes longer than the query.
_SAVED_SEARCHES = (
    select(SavedSearch.id, SavedSearch.words, SavedSearch.filters, SavedSearch.created_at)
    .where(SavedSearch.user_id == bindparam("user"))
    .order_by(SavedSearch.created_at.desc())
)


class SavedSearchLimit(Conflict):
    """The user has MAX_SAVED_SEARCHES saved searches."""

    code = "too_many_saved"
    message = "You already have 20 saved searches. Remove one first."


async def create_saved_search(session: AsyncSession, user_id: UUID, payload: SavedSearchPayload) -> None:
    """Save a search. Saving the same search again has no effect. Raises SavedSearchLimit."""
    filters = payload.model_dump(mode="json", by_alias=True, exclude={"q"}, exclude_defaults=True)
    await lock_count(session, "saved searches", user_id)
    existing = await session.scalar(
        select(SavedSearch.id).where(
            SavedSearch.user_id == user_id, SavedSearch.words == payload.q, SavedSearch.filters == filters
        )
    )
    if existing is not None:
        return
    count = await session.scalar(select(func.count()).select_from(SavedSearch).where(SavedSearch.user_id == user_id))
    if (count or 0) >= MAX_SAVED_SEARCHES:
        raise SavedSearchLimit
    await session.execute(insert(SavedSearch).values(user_id=user_id, id=new_id(), words=payload.q, filters=filters))


async def delete_saved_search(session: AsyncSession, user_id: UUID, search_id: UUID) -> None:
    """Delete a saved search. Raises NotFound."""
    deleted = await session.scalar(
        delete(SavedSearch).where(SavedSearch.user_id == user_id, SavedSearch.id == search_id).returning(SavedSearch.id)
    )
    if deleted is None:
        raise NotFound


async def saved_searches(session: AsyncSession, user_id: UUID, geocoder: Geocoder) -> list[SavedSearchResponse]:
    """Return the user's saved searches, newest first."""
    searches = []
    for row in await session.execute(_SAVED_SEARCHES, {"user": user_id}):
        filters = Filters.model_validate(row.filters)
        near = await match_near(geocoder, filters.near)
        searches.append(
            SavedSearchResponse(
                id=str(row.id),
                q=row.words,
                filters=SavedFilters.model_validate(filters.model_dump()),
                created_at=row.created_at.isoformat(),
                place=match_response(near.match) if near.match else None,
            )
        )
    return searches
