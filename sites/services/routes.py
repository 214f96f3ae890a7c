"""GET /api/gurus/{subdomain}/services (SPEC 7.2)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sites.parts import StrictRoute, Subdomain, parts_of, remembered, the_tenant
from sites.services import queries
from sites.services.schemas import ServicesAnswer

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/services", response_model=ServicesAnswer, operation_id="guru_services", summary="A guru's services")
async def read_services(request: Request, subdomain: Subdomain) -> Response:
    """What a guru offers, in the guru's order."""
    tenant = await the_tenant(request, subdomain)
    found = await queries.services(parts_of(request).db, tenant.id)
    return remembered(request, tenant, {"success": True, "services": found, "message": ""})
