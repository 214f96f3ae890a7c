"""Routes of the audit log: the events, and the verification."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Query

from porchlight.audit import verification
from porchlight.auth.staff import CurrentStaff, ServiceDatabase
from porchlight.features.admin.audit import queries
from porchlight.features.admin.audit.schemas import AuditResponse, AuditStateResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ValidationFailed

router = FeatureRouter(prefix="/api/admin/audit", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=AuditResponse, operation_id="list_audit_events", summary="List audit events")
async def list_audit_events(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    action: Annotated[
        str | None, Query(max_length=80, description="An action, or an area of actions: site, user, admin.")
    ] = None,
    subject: Annotated[str | None, Query(max_length=80)] = None,
    actor: Annotated[str | None, Query(max_length=80)] = None,
    cursor: Annotated[str | None, Query(max_length=19)] = None,
) -> AuditResponse:
    """List audit events, newest first."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and int(cursor) < 2**63):
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    if "\0" in (action or "") + (subject or "") + (actor or ""):
        return AuditResponse.model_validate({"success": True, "data": {"items": [], "nextCursor": None}})
    page = await queries.audit_events(
        service_db,
        action=action or None,
        subject=subject or None,
        actor=actor or None,
        before=int(cursor) if cursor else None,
    )
    return AuditResponse.model_validate({"success": True, "data": page})


@router.get("/state", response_model=AuditStateResponse, operation_id="get_audit_state", summary="Get audit log state")
async def get_audit_state(service_db: ServiceDatabase, _staff: CurrentStaff) -> AuditStateResponse:
    """Verify the whole audit log, as `porchlight audit verify` does."""
    state = await asyncio.to_thread(verification.audit_state, service_db.dsn)
    return AuditStateResponse.model_validate({"success": True, "data": state})
