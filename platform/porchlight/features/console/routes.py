"""The router of the guru console, /api/guru (SPEC 2.4, 3), and of the link in its emails to visitors."""

from __future__ import annotations

from fastapi import APIRouter

from porchlight.features.console.hours import routes as hours_routes
from porchlight.features.console.images import routes as image_routes
from porchlight.features.console.leads import address_routes
from porchlight.features.console.leads import routes as lead_routes
from porchlight.features.console.money import routes as money_routes
from porchlight.features.console.posts import routes as post_routes
from porchlight.features.console.services import routes as service_routes
from porchlight.features.console.sharing import routes as sharing_routes
from porchlight.features.console.site import routes as site_routes

router = APIRouter()
for routes in (
    site_routes,
    sharing_routes,
    post_routes,
    image_routes,
    service_routes,
    hours_routes,
    lead_routes,
    address_routes,
    money_routes,
):
    router.include_router(routes.router)
