"""Reports in the admin area, under the flag `systemReports`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Query

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, require_admin_flag, run_as_service
from porchlight.features.reports import actions, queries
from porchlight.features.reports.schemas import ReportDetailResponse, ReportsResponse, ResolutionPayload
from sites.reports.schemas import ReportKind
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/admin/reports",
    tags=["reports"],
    route_class=StrictRoute,
    dependencies=[Depends(require_admin_flag("systemReports"))],
)


@router.get("", response_model=ReportsResponse, operation_id="list_admin_reports", summary="List reports")
async def list_reports(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    search: Annotated[str, Query(max_length=100, description="Part of the subject's name.")] = "",
    status: Annotated[Literal["open", "resolved"] | None, Query()] = None,
    kind: Annotated[ReportKind | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> ReportsResponse:
    """Return a page of reports, newest first."""
    page = await queries.reports(service_db, search=search, status=status, kind=kind, cursor=cursor)
    return ReportsResponse.model_validate({"success": True, "data": page})


@router.get(
    "/{report_id}", response_model=ReportDetailResponse, operation_id="get_admin_report", summary="Get a report"
)
async def get_report(service_db: ServiceDatabase, _staff: CurrentStaff, report_id: str) -> ReportDetailResponse:
    """Return a report with all details."""
    return ReportDetailResponse.model_validate({"success": True, "data": await queries.report(service_db, report_id)})


@router.post(
    "/{report_id}/resolution",
    response_model=ReportDetailResponse,
    operation_id="resolve_report",
    summary="Resolve a report",
)
async def resolve_report(
    service_db: ServiceDatabase, staff: CurrentStaff, report_id: str, payload: ResolutionPayload
) -> ReportDetailResponse:
    """Resolve a report with a note. 409 if another admin resolved it first."""
    report_uuid = parse_id_or_404(report_id)
    await run_as_service(service_db, actions.resolve, staff.key_name, report_uuid, payload.outcome, payload.note)
    return ReportDetailResponse.model_validate({"success": True, "data": await queries.report(service_db, report_id)})
