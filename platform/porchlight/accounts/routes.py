"""Every route of accounts, under /api."""

from __future__ import annotations

from fastapi import APIRouter

from porchlight.accounts import domain_routes, profile_routes, session_routes

router = APIRouter()
router.include_router(session_routes.router)
router.include_router(domain_routes.router)
router.include_router(profile_routes.router)
router.include_router(profile_routes.public)
