"""GET /api/gurus/{subdomain}/home (SPEC 7.2)."""

from __future__ import annotations

from fastapi import Request, Response

from sites.context import Subdomain, cached_json, get_context
from sites.guru import without_badges
from sites.home import queries
from sites.home.schemas import HomeResponse
from sites.reviews.queries import NO_REVIEWS
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/home", response_model=HomeResponse, operation_id="guru_home", summary="A guru's home page")
async def read_home(request: Request, subdomain: Subdomain) -> Response:
    """The guru, their newest posts, services and numbers. Cached until the guru changes something."""
    tenant = await current_tenant(request)
    context = get_context(request)
    page = await queries.home(context.db, tenant.id)
    if not await context.shows_badges(tenant.id):
        page["guru"] = without_badges(page["guru"])
    if not await context.shows_reviews(tenant.id):
        page["reviews"] = NO_REVIEWS
    due = page.pop("due")
    return cached_json(request, tenant, {"success": True, **page, "message": ""}, due=due)
