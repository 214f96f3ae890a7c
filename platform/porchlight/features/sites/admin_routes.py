"""Routes of guru sites for admins: list, suspension, export."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Query, Response

from porchlight.audit.schemas import NeededReasonPayload
from porchlight.auth.staff import CurrentStaff, ServiceDatabase
from porchlight.features.sites import admin_actions, admin_queries
from porchlight.features.sites.admin_schemas import TenantResponse, TenantsResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.schemas import SuccessResponse
from tenants.tenancy.hosts import parse_label_or_404

router = FeatureRouter(prefix="/api/admin/sites", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=TenantsResponse, operation_id="list_admin_sites", summary="List sites")
async def list_sites(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    search: Annotated[
        str,
        Query(max_length=100, description="The beginning of a label or a domain, or a part of the owner's email."),
    ] = "",
    status: Annotated[Literal["active", "suspended", "unpublished"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> TenantsResponse:
    """List guru sites with owner, status, domains, traffic and leads, newest first."""
    page = await admin_queries.sites(service_db, search=search.replace("\0", ""), status=status, cursor=cursor)
    return TenantsResponse.model_validate({"success": True, "data": page})


@router.get("/{label}", response_model=TenantResponse, operation_id="get_admin_site", summary="Get site")
async def get_site(service_db: ServiceDatabase, _staff: CurrentStaff, label: str) -> TenantResponse:
    """Return a guru site."""
    site = await admin_queries.site(service_db, parse_label_or_404(label))
    return TenantResponse.model_validate({"success": True, "data": site})


@router.post("/{label}/suspension", response_model=SuccessResponse, operation_id="suspend_site", summary="Suspend site")
async def suspend_site(
    service_db: ServiceDatabase, staff: CurrentStaff, label: str, payload: NeededReasonPayload
) -> SuccessResponse:
    """Suspend a site: within a second, every worker responds with 410, and its domains get no certificate.

    The guru reads the reason in the console.
    """
    parsed_label = parse_label_or_404(label)
    await asyncio.to_thread(admin_actions.suspend_site, service_db.dsn, staff.key_name, parsed_label, payload.reason)
    return SuccessResponse(success=True)


@router.delete(
    "/{label}/suspension", response_model=SuccessResponse, operation_id="restore_site", summary="Restore site"
)
async def restore_site(service_db: ServiceDatabase, staff: CurrentStaff, label: str) -> SuccessResponse:
    """Restore a suspended site."""
    await asyncio.to_thread(admin_actions.restore_site, service_db.dsn, staff.key_name, parse_label_or_404(label), "")
    return SuccessResponse(success=True)


@router.post(
    "/{label}/export",
    operation_id="export_site",
    summary="Export site",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP archive."}},
)
async def export_site(service_db: ServiceDatabase, staff: CurrentStaff, label: str) -> Response:
    """Return all data of a guru as a ZIP archive with a file per table."""
    archive = await asyncio.to_thread(
        admin_actions.export_site, service_db.dsn, staff.key_name, parse_label_or_404(label)
    )
    headers = {"content-disposition": f'attachment; filename="{label}.zip"', "cache-control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)
