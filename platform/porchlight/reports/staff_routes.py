"""Reports as staff see and settle them, under the flag systemReports."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query

from porchlight.reports import actions, queries
from porchlight.reports.schemas import ReportDetailAnswer, ReportsAnswer, ResolutionPayload
from porchlight.staff import Overseer, TheStaff, needs_flag
from sites.parts import StrictRoute
from sites.reports.schemas import Kind
from tenants.kit.ids import known_id

router = APIRouter(
    prefix="/api/admin/reports",
    tags=["admin"],
    route_class=StrictRoute,
    dependencies=[Depends(needs_flag("systemReports"))],
)


@router.get("", response_model=ReportsAnswer, operation_id="admin_reports", summary="All reports")
async def read_reports(
    overseer: Overseer,
    _staff: TheStaff,
    search: Annotated[str, Query(max_length=100, description="Part of the name of what is reported.")] = "",
    status: Annotated[Literal["open", "resolved"] | None, Query()] = None,
    kind: Annotated[Kind | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> ReportsAnswer:
    """Reports, the newest first."""
    page = await queries.reports(overseer, search=search, status=status, kind=kind, cursor=cursor)
    return ReportsAnswer.model_validate({"success": True, "data": page})


@router.get("/{report_id}", response_model=ReportDetailAnswer, operation_id="admin_report", summary="One report")
async def read_report(overseer: Overseer, _staff: TheStaff, report_id: str) -> ReportDetailAnswer:
    """Everything about one report."""
    return ReportDetailAnswer.model_validate({"success": True, "data": await queries.report(overseer, report_id)})


@router.post(
    "/{report_id}/resolution",
    response_model=ReportDetailAnswer,
    operation_id="resolve_report",
    summary="Settle a report",
)
async def resolve(
    overseer: Overseer, staff: TheStaff, report_id: str, payload: ResolutionPayload
) -> ReportDetailAnswer:
    """Settle it with a note, once: who comes second is told so (409)."""
    wanted = known_id(report_id)
    await asyncio.to_thread(actions.resolve, overseer.dsn, staff.key_name, wanted, payload.outcome, payload.note)
    return ReportDetailAnswer.model_validate({"success": True, "data": await queries.report(overseer, report_id)})
