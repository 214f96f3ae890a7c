"""GET /api/home: the platform at work."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from porchlight.home.queries import FrontPage
from porchlight.home.schemas import FrontAnswer
from porchlight.parts import Parts
from sites.parts import StrictRoute

router = APIRouter(prefix="/api", tags=["platform"], route_class=StrictRoute)


@router.get("/home", response_model=FrontAnswer, operation_id="front_page", summary="Living gurus and new posts")
async def read_front_page(request: Request, parts: Parts) -> Response:
    """A few gurus whose sites live and the newest posts from them, at most a minute old."""
    front: FrontPage = request.app.state.front_page
    port = request.scope["porchlight.host"].port
    host = parts.settings.base_host + (f":{port}" if port else "")
    return Response(
        await front.body(request.scope["scheme"], host),
        media_type="application/json",
        headers={"x-content-type-options": "nosniff", "cache-control": "public, max-age=30"},
    )
