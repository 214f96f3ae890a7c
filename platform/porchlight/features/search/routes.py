"""GET /api/search and saved searches (flag skillListing)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import Depends, Query, Response, status

from porchlight.dependencies import Context, CurrentUser, Reader, require_flag, require_main_host
from porchlight.features.search import actions, queries
from porchlight.features.search.new_results import new_results
from porchlight.features.search.schemas import (
    MAX_QUERY_CHARACTERS,
    Filters,
    Kind,
    NewResultsData,
    NewResultsResponse,
    SavedSearchData,
    SavedSearchesResponse,
    SavedSearchPayload,
    SearchResponse,
    Weekday,
)
from porchlight.geo.checks import require_place
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(
    prefix="/api/search",
    tags=["search"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("skillListing"))],
)


@router.get(
    "", response_model=SearchResponse, operation_id="search", summary="Search offers, gurus, posts and services"
)
async def search(
    response: Response,
    context: Context,
    reader: Reader,
    q: Annotated[str, Query(min_length=2, max_length=MAX_QUERY_CHARACTERS, description="The search text."), ONE_LINE],
    kind: Annotated[Kind | None, Query()] = None,
    near: Annotated[str, Query(max_length=120, description="A town or ZIP code, as typed."), ONE_LINE] = "",
    within_miles: Annotated[int | None, Query(ge=1, le=200, alias="withinMiles")] = None,
    max_price_cents: Annotated[int | None, Query(ge=0, le=100_000_000, alias="maxPriceCents")] = None,
    in_format: Annotated[Literal["in_person", "online"] | None, Query(alias="format")] = None,
    language: Annotated[str, Query(max_length=40), ONE_LINE] = "",
    day: Annotated[Weekday | None, Query()] = None,
    cursor: Annotated[str, Query(max_length=3, description="`next` of the previous page.")] = "",
) -> SearchResponse:
    """Return results by spelling, tolerating typos, and by meaning."""
    offset = int(cursor) if re.fullmatch(r"[0-9]{1,3}", cursor, re.ASCII) else 0
    # `model_construct` takes the field names instead of their aliases. The values are validated above.
    filters = Filters.model_construct(
        kind=kind,
        near=near,
        within_miles=within_miles,
        max_price_cents=max_price_cents,
        format=in_format,
        language=language,
        day=day,
    )
    place = await queries.match_near(context.geocoder, near)
    response.headers["cache-control"] = "private, max-age=5"
    data = await queries.search(
        context.db,
        context.listing_cards,
        context.query_relations,
        q,
        filters,
        place,
        offset,
        reader,
        shows_times=await context.flags.on("booking"),
    )
    return SearchResponse(success=True, data=data)


@router.get(
    "/saved",
    response_model=SavedSearchesResponse,
    operation_id="list_saved_searches",
    summary="List saved searches",
)
async def list_saved_searches(response: Response, context: Context, user: CurrentUser) -> SavedSearchesResponse:
    """Return the user's saved searches, newest first."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        searches = await actions.saved_searches(session, user.user_id, context.geocoder)
    return SavedSearchesResponse(success=True, data=SavedSearchData(searches=searches))


@router.post(
    "/saved",
    response_model=SavedSearchesResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_saved_search",
    summary="Save a search with email alerts",
)
async def create_saved_search(
    context: Context, user: CurrentUser, payload: SavedSearchPayload
) -> SavedSearchesResponse:
    """Save the search. New results are sent by email. 422 if `near` is no clear place."""
    if payload.near:
        await require_place(context.geocoder, payload.near, field="near")
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.create_saved_search(session, user.user_id, payload)
        searches = await actions.saved_searches(session, user.user_id, context.geocoder)
    return SavedSearchesResponse(success=True, data=SavedSearchData(searches=searches))


@router.get(
    "/saved/new-results",
    response_model=NewResultsResponse,
    operation_id="list_new_results",
    summary="List new results of my saved searches",
)
async def list_new_results(response: Response, context: Context, user: CurrentUser) -> NewResultsResponse:
    """Return the user's saved searches that found something in the last 7 days."""
    response.headers["cache-control"] = "no-store"
    searches = await new_results(context.db, context.geocoder, user.user_id)
    return NewResultsResponse(success=True, data=NewResultsData(searches=searches))


@router.delete(
    "/saved/{search_id}",
    response_model=SavedSearchesResponse,
    operation_id="delete_saved_search",
    summary="Delete saved search",
)
async def delete_saved_search(context: Context, user: CurrentUser, search_id: str) -> SavedSearchesResponse:
    """Delete the search and stop its emails."""
    wanted = parse_id_or_404(search_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_saved_search(session, user.user_id, wanted)
        searches = await actions.saved_searches(session, user.user_id, context.geocoder)
    return SavedSearchesResponse(success=True, data=SavedSearchData(searches=searches))
