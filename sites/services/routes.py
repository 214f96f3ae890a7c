"""GET /api/gurus/{subdomain}/services (SPEC 7.2)."""

from __future__ import annotations

from fastapi import Request, Response

from sites.context import Subdomain, cached_json, get_context
from sites.services import queries
from sites.services.schemas import ServicesResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/services", response_model=ServicesResponse, operation_id="guru_services", summary="A guru's services")
async def read_services(request: Request, subdomain: Subdomain) -> Response:
    """Return the guru's services, in the guru's order."""
    tenant = await current_tenant(request)
    services = await queries.services(get_context(request).db, tenant.id)
    return cached_json(request, tenant, {"success": True, "services": services, "message": ""})
