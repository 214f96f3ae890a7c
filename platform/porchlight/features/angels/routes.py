"""Services of Angel's List (SPEC 2.9), their angels, and the services that the user offers."""

from __future__ import annotations

import re
from typing import Annotated, Any

import orjson
from fastapi import Query, Request, Response

from porchlight.dependencies import AppContext, Context, CurrentUser, OptionalUser
from porchlight.features.angels import actions, queries, reviews
from porchlight.features.angels.locations import Coordinates, coordinates_of
from porchlight.features.angels.schemas import (
    AngelPayload,
    AngelsResponse,
    OwnAngelsResponse,
    ReviewsResponse,
    ServiceAngelsResponse,
)
from porchlight.geo.schemas import match_response
from porchlight.ports import PlaceMatch
from sites.context import get_context
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.schemas import ONE_LINE

_HANDLE = re.compile(r"[a-z0-9-]{3,40}")
_SERVICE_ID = re.compile(r"[a-z0-9-]{1,80}")

router = FeatureRouter(prefix="/api", tags=["angels"], route_class=StrictRoute)

Near = Annotated[str, Query(max_length=120, description="“city, state”, the origin of distances."), ONE_LINE]
Latitude = Annotated[float | None, Query(ge=-90, le=90, allow_inf_nan=False, description="Degrees north.")]
Longitude = Annotated[float | None, Query(ge=-180, le=180, allow_inf_nan=False, description="Degrees east.")]


def parse_service_id(service_id: str) -> str:
    """Return a service id from a path. Raises NotFound for text that cannot be one."""
    if not _SERVICE_ID.fullmatch(service_id):
        raise NotFound
    return service_id


def _json(data: dict[str, Any], cache_control: str) -> Response:
    return Response(
        orjson.dumps({"success": True, "data": data}),
        media_type="application/json",
        headers={"x-content-type-options": "nosniff", "cache-control": cache_control},
    )


@router.get(
    "/angels", response_model=AngelsResponse, operation_id="list_angel_services", summary="List services of local help"
)
async def list_angel_services(
    request: Request,
    search: Annotated[str, Query(max_length=120, description="Part of a title, description or city."), ONE_LINE] = "",
    city: Annotated[str, Query(max_length=80, description="One of `cities`; empty for all."), ONE_LINE] = "",
    category: Annotated[str, Query(max_length=80, description="One of `categories`; empty for all."), ONE_LINE] = "",
) -> Response:
    """Return the services that match all filters."""
    services = await queries.services(get_context(request).db, search=search, city=city, category=category)
    return _json(services, "private, max-age=30")


async def _near_coordinates(
    context: AppContext, near: str, latitude: float | None, longitude: float | None
) -> tuple[Coordinates | None, PlaceMatch | None]:
    """Return the origin of distances, None if it is not known, and the meaning of `near` if that decides."""
    match = None
    if latitude is None or longitude is None:
        latitude = longitude = None
        match = await context.geocoder.match(near) if near.strip() else None
    if latitude is None and (match is None or match.place is None):
        return None, match
    try:
        return await coordinates_of(context.geocoder, text=near, latitude=latitude, longitude=longitude), match
    except ValidationFailed:
        return None, match


@router.get(
    "/angels/{service_id}",
    response_model=ServiceAngelsResponse,
    operation_id="list_angels",
    summary="List angels for a service",
)
async def list_angels(
    context: Context,
    user: OptionalUser,
    service_id: str,
    city: Annotated[str, Query(max_length=80, description="Only angels in this city."), ONE_LINE] = "",
    near: Near = "",
    latitude: Latitude = None,
    longitude: Longitude = None,
    cursor: Annotated[str | None, Query(max_length=300)] = None,
) -> Response:
    """Return the nearest angels first, then the best rated. Distances are between cells, in whole miles.

    Without a clear place there are no distances, and `place` says why.
    """
    origin, match = await _near_coordinates(context, near, latitude, longitude)
    viewer_id = user.user_id if user else None
    page = await queries.angels_for(context.db, viewer_id, service_id, city=city, near=origin, cursor=cursor)
    place = match_response(match).model_dump(by_alias=True) if match else None
    return _json(page | {"place": place}, "no-store")


@router.get(
    "/users/{handle}/reviews", response_model=ReviewsResponse, operation_id="list_reviews", summary="List reviews"
)
async def list_reviews(
    context: Context, handle: str, cursor: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """Return what a user with a public profile helps with, and a page of the reviews, the newest first."""
    if not _HANDLE.fullmatch(handle):
        raise NotFound
    return _json(await reviews.reviews_of(context.db, handle, cursor), "no-cache")


async def _own_services(context: AppContext, user: CurrentUser) -> Response:
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return _json(await queries.own_services(session, user.user_id), "no-store")


@router.get(
    "/angel-services",
    response_model=OwnAngelsResponse,
    operation_id="list_own_angel_services",
    summary="List my services as an angel",
)
async def list_own_angel_services(context: Context, user: CurrentUser) -> Response:
    """Return the services that the user offers."""
    return await _own_services(context, user)


@router.put(
    "/angel-services/{service_id}",
    response_model=OwnAngelsResponse,
    operation_id="set_angel_service",
    summary="Offer or update a service as an angel",
)
async def set_angel_service(context: Context, user: CurrentUser, service_id: str, payload: AngelPayload) -> Response:
    """Create or replace the offer. Stores only the obfuscated location."""
    location, place = None, payload.place
    if place is not None:
        location = await coordinates_of(
            context.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude
        )
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.set_angel_service(session, user.user_id, parse_service_id(service_id), payload, location)
    return await _own_services(context, user)


@router.delete(
    "/angel-services/{service_id}",
    response_model=OwnAngelsResponse,
    operation_id="delete_angel_service",
    summary="Stop offering a service as an angel",
)
async def delete_angel_service(context: Context, user: CurrentUser, service_id: str) -> Response:
    """Delete the offer. Completed needs keep their records."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_angel_service(session, user.user_id, parse_service_id(service_id))
    return await _own_services(context, user)
