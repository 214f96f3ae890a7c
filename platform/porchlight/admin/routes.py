"""Staff calls (SPEC 7.2, 8.4). A cookie that only the main host sends, and only over a secure origin."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from porchlight.admin import actions, queries, sessions
from porchlight.admin.schemas import (
    AuditAnswer,
    DashboardAnswer,
    Done,
    LoginPayload,
    ReasonPayload,
    SiteAnswer,
    SitesAnswer,
)
from porchlight.admin.sessions import LIFETIME
from porchlight.parts import on_main_host
from porchlight.staff import COOKIE, Overseer, StaffParts, TheStaff, own_origin, staff_parts
from sites.parts import StrictRoute
from tenants.host import is_label
from tenants.kit.errors import GuruNotFound, ValidationFailed

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


@router.get("/sites", response_model=SitesAnswer, operation_id="admin_sites", summary="All guru sites")
async def read_sites(
    overseer: Overseer,
    _staff: TheStaff,
    search: Annotated[str, Query(max_length=63, description="The beginning of a label.")] = "",
    status: Annotated[Literal["active", "suspended"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> SitesAnswer:
    """All tenants with owner, state, domains, traffic and leads."""
    page = await queries.sites(overseer, search=search.replace("\0", ""), status=status, cursor=cursor)
    return SitesAnswer.model_validate({"success": True, "data": page})


@router.get("/sites/{label}", response_model=SiteAnswer, operation_id="admin_site", summary="One guru site")
async def read_site(overseer: Overseer, _staff: TheStaff, label: str) -> SiteAnswer:
    """One tenant."""
    return SiteAnswer.model_validate({"success": True, "data": await queries.site(overseer, _label(label))})


@router.post(
    "/sites/{label}/suspension",
    response_model=Done,
    operation_id="suspend_site",
    summary="Take a site down",
)
async def suspend(overseer: Overseer, staff: TheStaff, label: str, payload: ReasonPayload) -> Done:
    """The site answers 410 in every worker within a second, and gets no certificate."""
    await asyncio.to_thread(actions.suspend_site, overseer.dsn, staff.key_name, _label(label), payload.reason)
    return Done(success=True)


@router.delete(
    "/sites/{label}/suspension",
    response_model=Done,
    operation_id="restore_site",
    summary="Bring a site back",
)
async def restore(overseer: Overseer, staff: TheStaff, label: str) -> Done:
    """The site answers again."""
    await asyncio.to_thread(actions.restore_site, overseer.dsn, staff.key_name, _label(label), "")
    return Done(success=True)


@router.post(
    "/sites/{label}/export",
    operation_id="export_site",
    summary="Everything of a guru",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP archive."}},
)
async def export(overseer: Overseer, staff: TheStaff, label: str) -> Response:
    """A ZIP archive with a file per table."""
    archive = await asyncio.to_thread(actions.export_site, overseer.dsn, staff.key_name, _label(label))
    headers = {"content-disposition": f'attachment; filename="{label}.zip"', "cache-control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)


@router.get("/audit", response_model=AuditAnswer, operation_id="admin_audit", summary="The log of acts")
async def read_audit(
    overseer: Overseer,
    _staff: TheStaff,
    action: Annotated[str | None, Query(max_length=80)] = None,
    subject: Annotated[str | None, Query(max_length=80)] = None,
    cursor: Annotated[str | None, Query(max_length=19)] = None,
) -> AuditAnswer:
    """Who did what, the newest first."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and int(cursor) < 2**63):
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    if "\0" in (action or "") + (subject or ""):
        return AuditAnswer.model_validate({"success": True, "data": {"items": [], "nextCursor": None}})
    before = int(cursor) if cursor else None
    page = await queries.acts(overseer, action=action or None, subject=subject or None, before=before)
    return AuditAnswer.model_validate({"success": True, "data": page})


def _label(label: str) -> str:
    if not is_label(label):
        raise GuruNotFound
    return label
