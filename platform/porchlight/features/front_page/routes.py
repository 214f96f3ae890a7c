"""GET /api/home: the content of the main platform's front page."""

from __future__ import annotations

from fastapi import Request, Response

from porchlight.dependencies import Context
from porchlight.features.front_page.queries import FrontPage
from porchlight.features.front_page.schemas import FrontPageResponse
from tenants.http.routes import FeatureRouter, StrictRoute

router = FeatureRouter(prefix="/api", tags=["front page"], route_class=StrictRoute)


@router.get("/home", response_model=FrontPageResponse, operation_id="get_front_page", summary="Get the front page")
async def get_front_page(request: Request, context: Context) -> Response:
    """Return some active gurus and their newest posts, at most a minute old."""
    front_page: FrontPage = request.app.state.front_page
    port = request.scope["porchlight.host"].port
    host = context.settings.base_host + (f":{port}" if port else "")
    return Response(
        await front_page.body(request.scope["scheme"], host),
        media_type="application/json",
        headers={"x-content-type-options": "nosniff", "cache-control": "public, max-age=30"},
    )
