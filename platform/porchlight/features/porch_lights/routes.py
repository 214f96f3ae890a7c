"""Porch lights: angels and gurus who are free this evening, and the switch of the user's light."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import Query, Response
from pydantic import StringConstraints

from porchlight.dependencies import AppContext, Context, CurrentUser, Reader
from porchlight.features.porch_lights import actions, queries
from porchlight.features.porch_lights.schemas import (
    OwnPorchLight,
    OwnPorchLightResponse,
    PorchLightPayload,
    PorchLightsData,
    PorchLightsResponse,
)
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ValidationFailed

router = FeatureRouter(prefix="/api", tags=["porch lights"], route_class=StrictRoute)

MAX_NAMES = 60
Names = Annotated[list[Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,63}$")]], Query(max_length=MAX_NAMES)]
Degrees = Annotated[float | None, Query(ge=-180, le=180, allow_inf_nan=False, description="In degrees.")]


@router.get(
    "/porch-lights", response_model=PorchLightsResponse, operation_id="list_porch_lights", summary="List porch lights"
)
async def list_porch_lights(
    response: Response,
    context: Context,
    reader: Reader,
    handle: Names = [],  # noqa: B006  FastAPI copies the default of a query parameter
    site: Names = [],  # noqa: B006
    south: Degrees = None,
    west: Degrees = None,
    north: Degrees = None,
    east: Degrees = None,
) -> PorchLightsResponse:
    """Return the newest lights: of neighbors by handle and gurus by site, or on a part of the map, or all."""
    response.headers["cache-control"] = "no-store"
    edges = [edge for edge in (south, west, north, east) if edge is not None]
    if len(edges) not in (0, 4):
        raise ValidationFailed(fields={"south": "Give all four edges of the map, or none."})
    box = (edges[0], edges[1], edges[2], edges[3]) if edges else None
    lights = await queries.porch_lights(context.db, handles=handle, sites=site, box=box, reader=reader)
    return PorchLightsResponse(success=True, data=PorchLightsData(lights=lights))


async def _own_light(context: AppContext, user_id: UUID) -> OwnPorchLightResponse:
    async with unit_of_work(context.db, user_id=user_id) as session:
        until = await actions.lit_until(session, user_id)
        available = await queries.can_turn_on(session, user_id)
    return OwnPorchLightResponse(success=True, data=OwnPorchLight(available=available, until=until))


@router.get(
    "/porch-light",
    response_model=OwnPorchLightResponse,
    operation_id="get_porch_light",
    summary="Get my porch light",
)
async def get_porch_light(response: Response, context: Context, user: CurrentUser) -> OwnPorchLightResponse:
    """Return whether the user's light is on."""
    response.headers["cache-control"] = "no-store"
    return await _own_light(context, user.user_id)


@router.put(
    "/porch-light",
    response_model=OwnPorchLightResponse,
    operation_id="turn_on_porch_light",
    summary="Turn my porch light on",
)
async def turn_on_porch_light(context: Context, user: CurrentUser, payload: PorchLightPayload) -> OwnPorchLightResponse:
    """Show neighbors that the user is free this evening. The light goes out at 10 PM, or two hours later."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.turn_on(session, user.user_id, ZoneInfo(payload.zone))
    return await _own_light(context, user.user_id)


@router.delete(
    "/porch-light",
    response_model=OwnPorchLightResponse,
    operation_id="turn_off_porch_light",
    summary="Turn my porch light off",
)
async def turn_off_porch_light(context: Context, user: CurrentUser) -> OwnPorchLightResponse:
    """Turn the light off at once."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.turn_off(session, user.user_id)
    return await _own_light(context, user.user_id)
