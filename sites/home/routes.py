"""GET /api/gurus/{subdomain}/home (SPEC 7.2)."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sites.home import queries
from sites.home.schemas import HomeAnswer
from sites.parts import StrictRoute, Subdomain, parts_of, remembered, the_tenant

router = APIRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/home", response_model=HomeAnswer, operation_id="guru_home", summary="A guru's home page")
async def read_home(request: Request, subdomain: Subdomain) -> Response:
    """The guru, their newest posts, services and numbers. Answered from memory until the guru changes something."""
    tenant = await the_tenant(request, subdomain)
    found = await queries.home(parts_of(request).db, tenant.id)
    due = found.pop("due")
    return remembered(request, tenant, {"success": True, **found, "message": ""}, due=due)
