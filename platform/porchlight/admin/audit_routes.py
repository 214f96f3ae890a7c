"""The log of acts, and whether it is whole."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from porchlight.admin import audit, queries
from porchlight.admin.schemas import AuditAnswer, AuditStateAnswer
from porchlight.staff import Overseer, TheStaff
from sites.parts import StrictRoute
from tenants.kit.errors import ValidationFailed

router = APIRouter(prefix="/audit", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=AuditAnswer, operation_id="admin_audit", summary="The log of acts")
async def read_audit(
    overseer: Overseer,
    _staff: TheStaff,
    action: Annotated[str | None, Query(max_length=80, description="One act, or an area: site, user, admin.")] = None,
    subject: Annotated[str | None, Query(max_length=80)] = None,
    actor: Annotated[str | None, Query(max_length=80)] = None,
    cursor: Annotated[str | None, Query(max_length=19)] = None,
) -> AuditAnswer:
    """Who did what, the newest first."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and int(cursor) < 2**63):
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    if "\0" in (action or "") + (subject or "") + (actor or ""):
        return AuditAnswer.model_validate({"success": True, "data": {"items": [], "nextCursor": None}})
    page = await queries.acts(
        overseer,
        action=action or None,
        subject=subject or None,
        actor=actor or None,
        before=int(cursor) if cursor else None,
    )
    return AuditAnswer.model_validate({"success": True, "data": page})


@router.get("/state", response_model=AuditStateAnswer, operation_id="audit_state", summary="Whether the log is whole")
async def read_state(overseer: Overseer, _staff: TheStaff) -> AuditStateAnswer:
    """Every link looked at anew, as `porchlight audit verify` does."""
    state = await asyncio.to_thread(audit.state, overseer.dsn)
    return AuditStateAnswer.model_validate({"success": True, "data": state})
