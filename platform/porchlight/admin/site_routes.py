"""All tenants: who they are, how they do, taken down, brought back and exported."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from porchlight.admin import actions, queries
from porchlight.admin.schemas import Done, ReasonPayload, TenantAnswer, TenantsAnswer
from porchlight.staff import Overseer, TheStaff
from sites.parts import StrictRoute
from tenants.host import is_label
from tenants.kit.errors import GuruNotFound

router = APIRouter(prefix="/sites", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=TenantsAnswer, operation_id="admin_sites", summary="All guru sites")
async def read_sites(
    overseer: Overseer,
    _staff: TheStaff,
    search: Annotated[
        str, Query(max_length=100, description="How a label or a domain begins, or a part of the owner's email.")
    ] = "",
    status: Annotated[Literal["active", "suspended", "unpublished"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> TenantsAnswer:
    """All tenants with owner, state, domains, traffic and leads."""
    page = await queries.sites(overseer, search=search.replace("\0", ""), status=status, cursor=cursor)
    return TenantsAnswer.model_validate({"success": True, "data": page})


@router.get("/{label}", response_model=TenantAnswer, operation_id="admin_site", summary="One guru site")
async def read_site(overseer: Overseer, _staff: TheStaff, label: str) -> TenantAnswer:
    """One tenant."""
    return TenantAnswer.model_validate({"success": True, "data": await queries.site(overseer, label_of(label))})


@router.post("/{label}/suspension", response_model=Done, operation_id="suspend_site", summary="Take a site down")
async def suspend(overseer: Overseer, staff: TheStaff, label: str, payload: ReasonPayload) -> Done:
    """The site answers 410 in every worker within a second, and gets no certificate."""
    await asyncio.to_thread(actions.suspend_site, overseer.dsn, staff.key_name, label_of(label), payload.reason)
    return Done(success=True)


@router.delete("/{label}/suspension", response_model=Done, operation_id="restore_site", summary="Bring a site back")
async def restore(overseer: Overseer, staff: TheStaff, label: str) -> Done:
    """The site answers again."""
    await asyncio.to_thread(actions.restore_site, overseer.dsn, staff.key_name, label_of(label), "")
    return Done(success=True)


@router.post(
    "/{label}/export",
    operation_id="export_site",
    summary="Everything of a guru",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP archive."}},
)
async def export(overseer: Overseer, staff: TheStaff, label: str) -> Response:
    """A ZIP archive with a file per table."""
    archive = await asyncio.to_thread(actions.export_site, overseer.dsn, staff.key_name, label_of(label))
    headers = {"content-disposition": f'attachment; filename="{label}.zip"', "cache-control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)


def label_of(label: str) -> str:
    """The label an address names. Raises GuruNotFound for what cannot be one."""
    if not is_label(label):
        raise GuruNotFound
    return label
