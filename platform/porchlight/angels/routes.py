"""Every route of Angel's List, under /api."""

from __future__ import annotations

from fastapi import APIRouter

from porchlight.angels import angel_routes, need_routes, offer_routes

router = APIRouter()
router.include_router(angel_routes.router)
router.include_router(need_routes.router)
router.include_router(offer_routes.router)
