"""A guru's console: every route below /api/guru (SPEC 2.4, 3)."""

from __future__ import annotations

from fastapi import APIRouter

from porchlight.console import image_routes, lead_routes, post_routes, service_routes, site_routes

router = APIRouter()
for routes in (site_routes, post_routes, image_routes, service_routes, lead_routes):
    router.include_router(routes.router)
