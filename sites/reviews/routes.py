"""GET /api/gurus/{subdomain}/reviews: the reviews of a guru's sessions (flag reviews)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from sites.context import Subdomain, cached_json, get_context
from sites.reviews import queries
from sites.reviews.schemas import SiteReviewsResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get(
    "/reviews", response_model=SiteReviewsResponse, operation_id="list_site_reviews", summary="List a guru's reviews"
)
async def list_reviews(
    request: Request, subdomain: Subdomain, cursor: Annotated[str | None, Query(max_length=60)] = None
) -> Response:
    """Return a page of the reviews of a guru's sessions, the newest first. Cached until one is revealed or changes."""
    tenant = await current_tenant(request)
    context = get_context(request)
    if not await context.shows_reviews(tenant.id):
        raise NotFound
    page = await queries.reviews(context.db, tenant.id, cursor)
    return cached_json(request, tenant, {"success": True, **page, "message": ""})
