"""GET /api/search, and searches that neighbours keep (flag skillListing)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response, status

from porchlight.parts import CurrentUser, Parts, on_main_host, while_on
from porchlight.search import actions, queries
from porchlight.search.schemas import (
    WORDS,
    Filters,
    Kind,
    SavedData,
    SavedPayload,
    SavedSearchesAnswer,
    SearchAnswer,
    Weekday,
)
from sites.parts import StrictRoute
from tenants.kit.ids import known_id
from tenants.kit.schemas import ONE_LINE
from tenants.session import unit_of_work

router = APIRouter(
    prefix="/api/search",
    tags=["search"],
    route_class=StrictRoute,
    dependencies=[Depends(on_main_host), Depends(while_on("skillListing"))],
)


@router.get("", response_model=SearchAnswer, operation_id="search", summary="Offers, gurus, posts and help, near you")
async def read_search(
    response: Response,
    parts: Parts,
    q: Annotated[str, Query(min_length=2, max_length=WORDS, description="In your own words."), ONE_LINE],
    kind: Annotated[Kind | None, Query()] = None,
    near: Annotated[str, Query(max_length=120, description='A town: "Denver, Colorado".'), ONE_LINE] = "",
    within_miles: Annotated[int | None, Query(ge=1, le=200, alias="withinMiles")] = None,
    max_price_cents: Annotated[int | None, Query(ge=0, le=100_000_000, alias="maxPriceCents")] = None,
    in_format: Annotated[Literal["in_person", "online"] | None, Query(alias="format")] = None,
    language: Annotated[str, Query(max_length=40), ONE_LINE] = "",
    day: Annotated[Weekday | None, Query()] = None,
    cursor: Annotated[str, Query(max_length=3, description="`next` of the page before.")] = "",
) -> SearchAnswer:
    """Typo-tolerant, and by meaning once the worker has read the question (`pending` says when it has not)."""
    skip = int(cursor) if re.fullmatch(r"[0-9]{1,3}", cursor, re.ASCII) else 0
    # Built without its aliases' names: each was checked above.
    filters = Filters.model_construct(
        kind=kind,
        near=near,
        within_miles=within_miles,
        max_price_cents=max_price_cents,
        format=in_format,
        language=language,
        day=day,
    )
    here = await queries.here_of(parts.geocoder, near)
    response.headers["cache-control"] = "private, max-age=5"
    return SearchAnswer(success=True, data=await queries.find(parts.db, parts.listing_cards, q, filters, here, skip))


@router.get("/saved", response_model=SavedSearchesAnswer, operation_id="saved_searches", summary="Searches I keep")
async def read_saved(response: Response, parts: Parts, person: CurrentUser) -> SavedSearchesAnswer:
    """What one is told about by mail."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        found = await actions.saved_searches(session, person.user_id)
    return SavedSearchesAnswer(success=True, data=SavedData(searches=found))


@router.post(
    "/saved",
    response_model=SavedSearchesAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="save_search",
    summary="Keep a search, and hear of what is new",
)
async def post_saved(parts: Parts, person: CurrentUser, sent: SavedPayload) -> SavedSearchesAnswer:
    """New offers that fit come by mail, gathered."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.save_search(session, person.user_id, sent)
        found = await actions.saved_searches(session, person.user_id)
    return SavedSearchesAnswer(success=True, data=SavedData(searches=found))


@router.delete(
    "/saved/{search_id}", response_model=SavedSearchesAnswer, operation_id="drop_search", summary="Keep it no longer"
)
async def delete_saved(parts: Parts, person: CurrentUser, search_id: str) -> SavedSearchesAnswer:
    """No more mail about it."""
    known = known_id(search_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.drop_search(session, person.user_id, known)
        found = await actions.saved_searches(session, person.user_id)
    return SavedSearchesAnswer(success=True, data=SavedData(searches=found))
