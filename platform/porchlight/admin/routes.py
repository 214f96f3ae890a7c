"""Staff calls (SPEC 7.2, 8.4). A cookie that only the main host sends, and only over a secure origin."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from porchlight.admin import (
    audit_routes,
    impersonation_routes,
    listing_routes,
    people_routes,
    queries,
    risk_routes,
    sessions,
    site_routes,
)
from porchlight.admin.schemas import DashboardAnswer, Done, LoginPayload
from porchlight.admin.sessions import LIFETIME
from porchlight.parts import on_main_host
from porchlight.staff import COOKIE, Overseer, StaffParts, TheStaff, own_origin, staff_parts
from sites.parts import StrictRoute

router = APIRouter(prefix="/api/admin", tags=["admin"], route_class=StrictRoute)


Parts = Annotated[StaffParts, Depends(staff_parts)]


@router.post(
    "/login",
    response_model=Done,
    dependencies=[Depends(on_main_host), Depends(own_origin)],
    operation_id="admin_login",
    summary="Sign in",
)
async def log_in(parts: Parts, overseer: Overseer, payload: LoginPayload, response: Response) -> Done:
    """Open a staff session with the admin key."""
    token = await asyncio.to_thread(sessions.log_in, overseer.dsn, parts.keys, payload.key)
    response.set_cookie(
        COOKIE, token, max_age=int(LIFETIME.total_seconds()), path="/", secure=True, httponly=True, samesite="strict"
    )
    return Done(success=True)


@router.get("/ping", response_model=Done, operation_id="admin_ping", summary="Whether staff are signed in")
async def ping(_staff: TheStaff) -> Done:
    """200 for staff, 401 for everybody else."""
    return Done(success=True)


@router.post("/logout", response_model=Done, operation_id="admin_logout", summary="Sign out")
async def log_out(overseer: Overseer, staff: TheStaff, response: Response) -> Done:
    """End the session; its cookie is good for nothing from now on."""
    await asyncio.to_thread(sessions.log_out, overseer.dsn, staff)
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
    return Done(success=True)


@router.get("/dashboard", response_model=DashboardAnswer, operation_id="admin_dashboard", summary="Four counters")
async def read_dashboard(overseer: Overseer, _staff: TheStaff) -> DashboardAnswer:
    """SPEC 2.12, overview."""
    return DashboardAnswer.model_validate({"success": True, "data": await queries.dashboard(overseer)})


for routes in (site_routes, people_routes, listing_routes, risk_routes, impersonation_routes, audit_routes):
    router.include_router(routes.router)
