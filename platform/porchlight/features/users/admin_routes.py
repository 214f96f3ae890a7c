"""Routes of users for admins, under the flag `userProfiles` (docs/settled-questions.md)."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Depends, Query

from porchlight.audit.schemas import NeededReasonPayload
from porchlight.auth.staff import CurrentStaff, ServiceDatabase, require_admin_flag
from porchlight.features.users import admin_actions, admin_queries
from porchlight.features.users.admin_schemas import UserResponse, UsersResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(prefix="/api/admin", tags=["admin"], route_class=StrictRoute)

_PROFILES_ENABLED = [Depends(require_admin_flag("userProfiles"))]


@router.get(
    "/users",
    response_model=UsersResponse,
    operation_id="list_admin_users",
    summary="List users",
    dependencies=_PROFILES_ENABLED,
)
async def list_users(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    search: Annotated[str, Query(max_length=100, description="A part of an email address, a name or a handle.")] = "",
    status: Annotated[Literal["active", "suspended"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> UsersResponse:
    """List users, newest first."""
    page = await admin_queries.users(service_db, search=search, status=status, cursor=cursor)
    return UsersResponse.model_validate({"success": True, "data": page})


@router.get(
    "/users/{user_id}",
    response_model=UserResponse,
    operation_id="get_admin_user",
    summary="Get user",
    dependencies=_PROFILES_ENABLED,
)
async def get_user(service_db: ServiceDatabase, _staff: CurrentStaff, user_id: str) -> UserResponse:
    """Return a user with all details."""
    return UserResponse.model_validate({"success": True, "data": await admin_queries.user(service_db, user_id)})


@router.post(
    "/users/{user_id}/suspension",
    response_model=SuccessResponse,
    operation_id="suspend_user",
    summary="Suspend user",
    dependencies=_PROFILES_ENABLED,
)
async def suspend_user(
    service_db: ServiceDatabase, staff: CurrentStaff, user_id: str, payload: NeededReasonPayload
) -> SuccessResponse:
    """Suspend a user and the user's site. All sign-ins end immediately, in all workers."""
    parsed_id = parse_id_or_404(user_id)
    await asyncio.to_thread(admin_actions.suspend_user, service_db.dsn, staff.key_name, parsed_id, payload.reason)
    return SuccessResponse(success=True)


@router.delete(
    "/users/{user_id}/suspension",
    response_model=SuccessResponse,
    operation_id="restore_user",
    summary="Restore user",
    dependencies=_PROFILES_ENABLED,
)
async def restore_user(service_db: ServiceDatabase, staff: CurrentStaff, user_id: str) -> SuccessResponse:
    """Restore a suspended user, and the site that was suspended with the user."""
    await asyncio.to_thread(admin_actions.restore_user, service_db.dsn, staff.key_name, parse_id_or_404(user_id))
    return SuccessResponse(success=True)
