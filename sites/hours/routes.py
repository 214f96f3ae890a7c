"""The free times of a service, and the next one of each service."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import Query, Request, Response

from sites.context import Subdomain, cached_json, get_context
from sites.hours import queries
from sites.hours.schemas import NextStartsResponse, SlotsResponse, next_starts_response, slots_response
from sites.hours.session_schedule import MAX_DAYS
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)

DEFAULT_DAYS = 31
NEXT_STARTS_CACHE_SECONDS = 5.0  # cards show them, and each page view of a guru's site asks for them


@router.get(
    "/services/{service_id}/slots",
    response_model=SlotsResponse,
    operation_id="service_slots",
    summary="The free times of a service",
)
async def read_slots(
    request: Request,
    subdomain: Subdomain,
    service_id: str,
    first_day: Annotated[date | None, Query(alias="from", description="The first local day; today by default.")] = None,
    days: Annotated[int, Query(ge=1, le=MAX_DAYS, description="The number of local days.")] = DEFAULT_DAYS,
) -> Response:
    """Return the starts that can be booked, in order. They are not reserved: another visitor may take one first."""
    context, tenant = get_context(request), await current_tenant(request)
    if not await context.accepts_bookings(tenant.id):
        raise NotFound
    times = await queries.service_times(
        context.db, request.app.state.free_starts, tenant.id, parse_id_or_404(service_id), first_day, days
    )
    response = slots_response(times)
    headers = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
    return Response(response.model_dump_json(by_alias=True), headers=headers, media_type="application/json")


@router.get(
    "/next-starts",
    response_model=NextStartsResponse,
    operation_id="next_starts",
    summary="The next free times of a guru's services",
)
async def read_next_starts(request: Request, subdomain: Subdomain) -> Response:
    """Return the next start of each service that can be booked, of at most twelve. Cached for seconds."""
    context, tenant = get_context(request), await current_tenant(request)
    found = []
    if await context.accepts_bookings(tenant.id):
        found = await queries.next_starts(context.db, request.app.state.free_starts, tenant.id)
    body = next_starts_response(found).model_dump(by_alias=True)
    return cached_json(request, tenant, body, seconds=NEXT_STARTS_CACHE_SECONDS)
