"""Looking at a site as its guru: begun with a reason, raised with another, ended by a button or by time."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

from porchlight.admin import impersonation
from porchlight.admin.schemas import Done, LookAnswer, NeededReasonPayload
from porchlight.admin.site_routes import label_of
from porchlight.parts import SAFE_METHODS, OwnedGuru
from porchlight.staff import COOKIE, Overseer, TheStaff, current_staff, staff_parts
from sites.parts import StrictRoute
from tenants.kit.errors import Forbidden

router = APIRouter(tags=["admin"], route_class=StrictRoute)


class LookOver(Forbidden):
    """The quarter of an hour is over, or the look was ended."""

    code = "impersonation_over"
    message = "You are no longer looking as this guru. Start again from the list of sites."


@router.post(
    "/sites/{label}/impersonation",
    response_model=LookAnswer,
    operation_id="begin_impersonation",
    summary="Look at a site as its guru",
)
async def begin(overseer: Overseer, staff: TheStaff, label: str, payload: NeededReasonPayload) -> LookAnswer:
    """For a quarter of an hour, read-only. Calls of the guru's console then carry the label in `Porchlight-As`."""
    look = await asyncio.to_thread(impersonation.begin, overseer.dsn, staff, label_of(label), payload.reason)
    return LookAnswer.model_validate({"success": True, "data": look.wire()})


@router.get(
    "/impersonation", response_model=LookAnswer, operation_id="impersonation", summary="As whom staff are looking"
)
async def read(overseer: Overseer, staff: TheStaff) -> LookAnswer:
    """The living look of this staff session, or null."""
    look = await impersonation.living(overseer, staff)
    return LookAnswer.model_validate({"success": True, "data": look.wire() if look else None})


@router.put(
    "/impersonation/writing",
    response_model=LookAnswer,
    operation_id="raise_impersonation",
    summary="Allow changes as the guru",
)
async def allow_writing(overseer: Overseer, staff: TheStaff, payload: NeededReasonPayload) -> LookAnswer:
    """Until the look is over, with a reason. Every change is written into the audit log before it is made."""
    look = await asyncio.to_thread(impersonation.allow_writing, overseer.dsn, staff, payload.reason)
    return LookAnswer.model_validate({"success": True, "data": look.wire()})


@router.delete(
    "/impersonation", response_model=Done, operation_id="end_impersonation", summary="Stop looking as a guru"
)
async def end(overseer: Overseer, staff: TheStaff) -> Done:
    """Over at once. Harmless when it was over already."""
    await asyncio.to_thread(impersonation.end, overseer.dsn, staff)
    return Done(success=True)


async def looked_at(request: Request, label: str) -> OwnedGuru:
    """The guru that staff look as, for the calls of a guru's console (`parts.SeenAs`).

    Raises Unauthenticated without a staff session, LookOver, and ReadOnly for a change that was not allowed.
    """
    overseer = staff_parts(request).overseer
    if overseer is None:  # pragma: no cover - staff_parts refused it
        raise LookOver
    staff = await current_staff(request, overseer, request.cookies.get(COOKIE, ""))
    look = await impersonation.living(overseer, staff)
    if look is None or look.label != label:
        raise LookOver
    if request.method not in SAFE_METHODS:
        if not look.writing:
            raise impersonation.ReadOnly
        change = f"{request.method} {request.scope['path']}"
        await asyncio.to_thread(impersonation.note_change, overseer.dsn, staff, look, change)
    return OwnedGuru(look.tenant_id, look.label, look.status)
