"""Routes of the admin area: sign-in and dashboard (SPEC 7.2, 8.4). Its parts have routers of their own.

The session cookie is sent only to the main host, and only over a secure connection.
"""

from __future__ import annotations

import asyncio
from asyncio import sleep as pause  # of a key that waits for its check; tests replace it
from datetime import timedelta
from typing import Annotated

from fastapi import Cookie, Depends, Request, Response

from porchlight.auth.staff import (
    COOKIE,
    AdminContext,
    CurrentStaff,
    ServiceDatabase,
    get_admin_context,
    require_admin_origin,
)
from porchlight.dependencies import Context, require_main_host
from porchlight.features.admin import known_devices, queries, sessions
from porchlight.features.admin.schemas import AdminSessionResponse, DashboardResponse, LoginPayload
from tenants.db.rate_limit import hash_address
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(prefix="/api/admin", tags=["admin"], route_class=StrictRoute)


@router.post(
    "/login",
    response_model=SuccessResponse,
    dependencies=[Depends(require_main_host), Depends(require_admin_origin)],
    operation_id="create_admin_session",
    summary="Create admin session",
)
async def create_admin_session(
    request: Request,
    context: Annotated[AdminContext, Depends(get_admin_context)],
    app: Context,
    service_db: ServiceDatabase,
    payload: LoginPayload,
    response: Response,
    device: Annotated[str, Cookie(alias=known_devices.COOKIE, include_in_schema=False)] = "",
) -> SuccessResponse:
    """Sign in with an admin key."""
    address = request.client.host if request.client else ""
    address_hash = hash_address(app.settings.address_secret, address, purpose="admin key")
    is_known_device = known_devices.is_known_device(app.settings.device_secret, device)
    origin, wait_seconds = await sessions.origin_of(service_db, address_hash, is_known_device=is_known_device)
    await pause(wait_seconds)
    response.headers["cache-control"] = "no-store"
    token = await asyncio.to_thread(sessions.log_in, service_db.dsn, context.keys, payload.key, origin)
    _set_cookie(response, COOKIE, token, sessions.SESSION_TTL)
    _set_cookie(
        response,
        known_devices.COOKIE,
        known_devices.new_device_token(app.settings.device_secret),
        known_devices.COOKIE_TTL,
    )
    return SuccessResponse(success=True)


def _set_cookie(response: Response, name: str, value: str, ttl: timedelta) -> None:
    response.set_cookie(
        name, value, max_age=int(ttl.total_seconds()), path="/", secure=True, httponly=True, samesite="strict"
    )


@router.get(
    "/ping", response_model=AdminSessionResponse, operation_id="check_admin_session", summary="Check admin session"
)
async def check_admin_session(staff: CurrentStaff) -> AdminSessionResponse:
    """Return the holder of the key for a valid admin session, 401 otherwise."""
    return AdminSessionResponse.model_validate(
        {"success": True, "data": {"name": staff.key_name, "shared": staff.is_shared}}
    )


@router.post(
    "/logout", response_model=SuccessResponse, operation_id="delete_admin_session", summary="Delete admin session"
)
async def delete_admin_session(service_db: ServiceDatabase, staff: CurrentStaff, response: Response) -> SuccessResponse:
    """Delete the session and its cookie."""
    await asyncio.to_thread(sessions.log_out, service_db.dsn, staff)
    response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="strict")
    return SuccessResponse(success=True)


@router.get("/dashboard", response_model=DashboardResponse, operation_id="get_dashboard", summary="Get dashboard")
async def get_dashboard(service_db: ServiceDatabase, _staff: CurrentStaff, context: Context) -> DashboardResponse:
    """Return the row counts of the dashboard (SPEC 2.12)."""
    data = await queries.dashboard(service_db, has_sessions=await context.flags.on("booking"))
    return DashboardResponse.model_validate({"success": True, "data": data})
