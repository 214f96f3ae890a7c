"""GET /api/gurus/{subdomain}/services/{service_id}/slots: the free times of a service."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from sites.context import Subdomain, get_context
from sites.hours import queries
from sites.hours.cache import FreeStartsCache
from sites.hours.schemas import SlotResponse, SlotsResponse
from sites.hours.slots import MAX_DAYS, Start
from tenants.http.routes import StrictRoute
from tenants.kit import clock
from tenants.kit.ids import parse_id_or_404
from tenants.tenancy.current import current_tenant

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)

DEFAULT_DAYS = 31
_CACHE = FreeStartsCache()


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
    tenant = await current_tenant(request)
    times = await queries.service_times(
        get_context(request).db, _CACHE, tenant.id, parse_id_or_404(service_id), first_day, days
    )
    response = SlotsResponse(
        success=True,
        zone=times.rules.calendar.zone,
        minutes=times.rules.service.minutes,
        capacity=times.rules.service.capacity,
        party_max=times.rules.party_max,
        first_day=times.first_day.isoformat(),
        days=times.days,
        starts=[_slot(start) for start in times.starts],
        next=_slot(times.next_start) if times.next_start else None,
        message="",
    )
    headers = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
    return Response(response.model_dump_json(by_alias=True), headers=headers, media_type="application/json")


def _slot(start: Start) -> SlotResponse:
    return SlotResponse(starts_at=clock.to_iso8601(start.starts_at), seats=start.seats)
