"""Find the new results of saved searches, for the dashboard. Emails tell the same once; this can be read again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.embeddings.rules import LOOKUP_PHRASE, lookup_params
from porchlight.features.search.alerts import MIN_PROBABILITY_PERCENT
from porchlight.features.search.queries import (
    SEARCH,
    is_by_meaning,
    match_near,
    search_hit,
    search_params,
)
from porchlight.features.search.relevance import FoundItem, answers_and_related
from porchlight.features.search.schemas import Filters, NewResults, SavedFilters
from porchlight.ports import Geocoder
from tenants.db.pool import Database
from tenants.kit import clock

DAYS_BACK = 7
MAX_SEARCHES = 5  # the newest, because each one is run
_NEWEST = """
SELECT s.id, s.words, s.filters, (SELECT p.handle FROM profiles p WHERE p.user_id = s.user_id) AS handle
  FROM saved_searches s WHERE s.user_id = %(user)s ORDER BY s.created_at DESC, s.id LIMIT %(limit)s"""


class _Saved(NamedTuple):
    """A saved search, with its user's handle: None without a profile."""

    id: UUID
    words: str
    filters: dict[str, Any]
    handle: str | None


async def new_results(db: Database, geocoder: Geocoder, user_id: UUID) -> list[NewResults]:
    """Return the user's newest saved searches with results of the last DAYS_BACK days, without the user's own offers.

    A search whose place is not known has none.
    """
    parameters = {"user": user_id, "limit": MAX_SEARCHES}
    saved = await db.read(None, _NEWEST, parameters, row=_Saved, user_id=user_id)
    found = [await _new_results_of(db, geocoder, user_id, search) for search in saved]
    return [results for results in found if results is not None]


async def _new_results_of(db: Database, geocoder: Geocoder, user_id: UUID, saved: _Saved) -> NewResults | None:
    filters = Filters.model_validate(saved.filters)
    near = await match_near(geocoder, filters.near)
    if not near.allows(filters):
        return None
    lookup = await db.write(None, LOOKUP_PHRASE, lookup_params(saved.words))
    phrase_id, related_by = lookup[0] if lookup else (None, None)
    since = clock.now() - timedelta(days=DAYS_BACK)
    rows = await db.read(
        None,
        SEARCH,
        search_params(phrase_id, saved.words, filters, near.origin, since),
        row=FoundItem,
        user_id=user_id,
    )
    answers, _related = answers_and_related(saved.words, rows, has_meaning=is_by_meaning(related_by))
    hits = [search_hit(row) for row in answers]
    hits = [
        hit for hit in hits if hit.fit >= MIN_PROBABILITY_PERCENT and (not hit.handle or hit.handle != saved.handle)
    ]
    if not hits:
        return None
    return NewResults(
        id=str(saved.id),
        q=saved.words,
        filters=SavedFilters.model_validate(filters.model_dump()),
        results=len(hits),
        first=hits[0].title,
    )
