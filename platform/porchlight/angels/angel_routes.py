"""Kinds of help and their angels (SPEC 2.9), and one's own help."""

from __future__ import annotations

import re
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response

from porchlight.angels import actions, queries
from porchlight.angels.places import Spot, spot_of
from porchlight.angels.schemas import AngelPayload, AngelsAnswer, OwnAngelsAnswer, ServiceAngelsAnswer
from porchlight.parts import CurrentUser, MaybeUser, Parts, PlatformParts
from sites.parts import StrictRoute, parts_of
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.schemas import ONE_LINE
from tenants.session import unit_of_work

_SERVICE = re.compile(r"[a-z0-9-]{1,80}")

router = APIRouter(prefix="/api", tags=["angels"], route_class=StrictRoute)

Near = Annotated[str, Query(max_length=120, description="“city, state” from where distances count."), ONE_LINE]
Latitude = Annotated[float | None, Query(ge=-90, le=90, allow_inf_nan=False, description="Degrees north.")]
Longitude = Annotated[float | None, Query(ge=-180, le=180, allow_inf_nan=False, description="Degrees east.")]


def service_of(sent: str) -> str:
    """A service's id of a path; what can be none is answered like an unknown one."""
    if not _SERVICE.fullmatch(sent):
        raise NotFound
    return sent


def _json(data: dict[str, Any], cache: str) -> Response:
    return Response(
        orjson.dumps({"success": True, "data": data}),
        media_type="application/json",
        headers={"x-content-type-options": "nosniff", "cache-control": cache},
    )


@router.get("/angels", response_model=AngelsAnswer, operation_id="angels", summary="Local help and odd jobs")
async def read_angels(
    request: Request,
    search: Annotated[str, Query(max_length=120, description="Part of what is offered, or where."), ONE_LINE] = "",
    city: Annotated[str, Query(max_length=80, description="One of `cities`; empty for all."), ONE_LINE] = "",
    category: Annotated[str, Query(max_length=80, description="One of `categories`; empty for all."), ONE_LINE] = "",
) -> Response:
    """The services that all three filters let through."""
    found = await queries.services(parts_of(request).db, search=search, city=city, category=category)
    return _json(found, "private, max-age=30")


async def _near(parts: PlatformParts, near: str, latitude: float | None, longitude: float | None) -> Spot | None:
    if latitude is None or longitude is None:
        latitude = longitude = None
    try:
        return await spot_of(parts.geocoder, text=near, latitude=latitude, longitude=longitude)
    except ValidationFailed:
        return None  # a place nobody knows only costs the distances


@router.get(
    "/angels/{service_id}",
    response_model=ServiceAngelsAnswer,
    operation_id="service_angels",
    summary="The angels for a kind of help",
)
async def read_service_angels(
    parts: Parts,
    person: MaybeUser,
    service_id: str,
    city: Annotated[str, Query(max_length=80, description="Only those in this city."), ONE_LINE] = "",
    near: Near = "",
    latitude: Latitude = None,
    longitude: Longitude = None,
    cursor: Annotated[str | None, Query(max_length=300)] = None,
) -> Response:
    """The nearest first, then the best rated. Distances are between coarse cells, in whole miles."""
    spot = await _near(parts, near, latitude, longitude)
    viewer = person.user_id if person else None
    found = await queries.angels_for(parts.db, viewer, service_id, city=city, near=spot, cursor=cursor)
    return _json(found, "no-store")


async def _own(parts: PlatformParts, person: CurrentUser) -> Response:
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return _json(await queries.own_services(session, person.user_id), "no-store")


@router.get(
    "/angel-services", response_model=OwnAngelsAnswer, operation_id="own_angel_services", summary="What I help with"
)
async def read_own_services(parts: Parts, person: CurrentUser) -> Response:
    """Everything one helps with."""
    return await _own(parts, person)


@router.put(
    "/angel-services/{service_id}",
    response_model=OwnAngelsAnswer,
    operation_id="help_with",
    summary="Help with something, or change how",
)
async def put_own_service(parts: Parts, person: CurrentUser, service_id: str, sent: AngelPayload) -> Response:
    """Of the place only its coarse cell is kept."""
    spot, place = None, sent.place
    if place is not None:
        spot = await spot_of(parts.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.help_with(session, person.user_id, service_of(service_id), sent, spot)
    return await _own(parts, person)


@router.delete(
    "/angel-services/{service_id}",
    response_model=OwnAngelsAnswer,
    operation_id="stop_helping",
    summary="Help with something no more",
)
async def delete_own_service(parts: Parts, person: CurrentUser, service_id: str) -> Response:
    """What was done stays with the needs it was done for."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.stop_helping(session, person.user_id, service_of(service_id))
    return await _own(parts, person)
