"""Routes of impersonation: an admin views a guru's console, and may write after giving a second reason."""

from __future__ import annotations

import asyncio

from fastapi import Request

from porchlight.audit.schemas import NeededReasonPayload
from porchlight.auth.staff import COOKIE, CurrentStaff, ServiceDatabase, find_staff, get_admin_context
from porchlight.dependencies import SAFE_METHODS, OwnedGuru
from porchlight.features.admin.impersonation import actions
from porchlight.features.admin.impersonation.schemas import CurrentImpersonationResponse, ImpersonationResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.schemas import SuccessResponse
from tenants.tenancy.hosts import parse_label_or_404

router = FeatureRouter(prefix="/api/admin", tags=["admin"], route_class=StrictRoute)


class ImpersonationExpired(Forbidden):
    """The impersonation has expired or was ended."""

    code = "impersonation_expired"
    message = "You're no longer viewing as this guru. Start again from the list of sites."


@router.post(
    "/sites/{label}/impersonation",
    response_model=ImpersonationResponse,
    operation_id="create_impersonation",
    summary="Create impersonation",
)
async def create_impersonation(
    service_db: ServiceDatabase, staff: CurrentStaff, label: str, payload: NeededReasonPayload
) -> ImpersonationResponse:
    """Impersonate for 15 minutes, read-only. Console requests then carry the label in `Porchlight-Impersonate`."""
    impersonation = await asyncio.to_thread(
        actions.create_impersonation, service_db.dsn, staff, parse_label_or_404(label), payload.reason
    )
    return ImpersonationResponse.model_validate({"success": True, "data": impersonation.to_json()})


@router.get(
    "/impersonation",
    response_model=CurrentImpersonationResponse,
    operation_id="get_impersonation",
    summary="Get impersonation",
)
async def get_impersonation(service_db: ServiceDatabase, staff: CurrentStaff) -> CurrentImpersonationResponse:
    """Return the active impersonation of this admin session, or null."""
    impersonation = await actions.active_impersonation(service_db, staff)
    data = impersonation.to_json() if impersonation else None
    return CurrentImpersonationResponse.model_validate({"success": True, "data": data})


@router.put(
    "/impersonation/writing",
    response_model=ImpersonationResponse,
    operation_id="allow_impersonated_writes",
    summary="Allow impersonated writes",
)
async def allow_impersonated_writes(
    service_db: ServiceDatabase, staff: CurrentStaff, payload: NeededReasonPayload
) -> ImpersonationResponse:
    """Allow writes until the impersonation ends. Each write is recorded in the audit log before it is made."""
    impersonation = await asyncio.to_thread(actions.allow_impersonated_writes, service_db.dsn, staff, payload.reason)
    return ImpersonationResponse.model_validate({"success": True, "data": impersonation.to_json()})


@router.delete(
    "/impersonation",
    response_model=SuccessResponse,
    operation_id="delete_impersonation",
    summary="Delete impersonation",
)
async def delete_impersonation(service_db: ServiceDatabase, staff: CurrentStaff) -> SuccessResponse:
    """End the impersonation. Succeeds without one too."""
    await asyncio.to_thread(actions.end_impersonation, service_db.dsn, staff)
    return SuccessResponse(success=True)


async def impersonated_guru(request: Request, label: str) -> OwnedGuru:
    """Return the guru that an admin impersonates, for console routes (`dependencies.ImpersonationResolver`).

    Raises Unauthenticated without an admin session, ImpersonationExpired, and ReadOnlyImpersonation for a write that
    is not allowed.
    """
    service_db = (await get_admin_context(request)).service_db
    if service_db is None:  # pragma: no cover - get_admin_context raised NotFound
        raise ImpersonationExpired
    staff = await find_staff(request, service_db, request.cookies.get(COOKIE, ""))
    impersonation = await actions.active_impersonation(service_db, staff)
    if impersonation is None or impersonation.label != label:
        raise ImpersonationExpired
    if request.method not in SAFE_METHODS:
        if not impersonation.writing:
            raise actions.ReadOnlyImpersonation
        request_line = f"{request.method} {request.scope['path']}"
        await asyncio.to_thread(actions.record_impersonated_write, service_db.dsn, staff, impersonation, request_line)
    return OwnedGuru(impersonation.tenant_id, impersonation.label, impersonation.status)
