"""GET /api/gurus/{subdomain}/services (SPEC 7.2)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sites.parts import StrictRoute, TheTenant, parts_of, remembered
from sites.services import queries
from sites.services.schemas import ServicesAnswer

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/services", response_model=ServicesAnswer, operation_id="guru_services", summary="A guru's services")
async def read_services(request: Request, tenant: TheTenant) -> Response:
    """What a guru offers, in the guru's order."""
    found = await queries.services(parts_of(request).db, tenant.id)
    return remembered(request, tenant, {"success": True, "services": found, "message": ""})
