"""Routes of the admin overview: what waits and what ails, and failed jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from porchlight.auth.staff import CurrentAdminContext, CurrentStaff, ServiceDatabase, run_as_service
from porchlight.features.admin.overview import actions, queries
from porchlight.features.admin.overview.schemas import AdminOverviewResponse, FailedJobsResponse, RetriedJobsResponse
from tenants.http.routes import FeatureRouter, StrictRoute

router = FeatureRouter(prefix="/api/admin", tags=["admin"], route_class=StrictRoute)


@router.get(
    "/overview", response_model=AdminOverviewResponse, operation_id="get_admin_overview", summary="Get admin overview"
)
async def get_admin_overview(
    service_db: ServiceDatabase, context: CurrentAdminContext, _staff: CurrentStaff
) -> AdminOverviewResponse:
    """Return what waits for staff, the days' leads and sign-ups, and the state of emails, jobs and backups."""
    overview = await queries.overview(service_db, context.books)
    return AdminOverviewResponse.model_validate({"success": True, "data": overview})


@router.get(
    "/failed-jobs", response_model=FailedJobsResponse, operation_id="list_failed_jobs", summary="List failed jobs"
)
async def list_failed_jobs(service_db: ServiceDatabase, _staff: CurrentStaff) -> FailedJobsResponse:
    """List the failed jobs and emails of the last 30 days by task, the latest failure first."""
    items = await queries.failures(service_db)
    return FailedJobsResponse.model_validate({"success": True, "data": {"items": items, "nextCursor": None}})


@router.post(
    "/failed-jobs/{task}/retries",
    response_model=RetriedJobsResponse,
    operation_id="retry_failed_jobs",
    summary="Retry failed jobs",
)
async def retry_failed_jobs(
    service_db: ServiceDatabase, staff: CurrentStaff, task: Annotated[str, Path(pattern=r"^[a-z0-9_:-]{1,120}$")]
) -> RetriedJobsResponse:
    """Queue a task's failed jobs of the last 30 days again. 404 if there are none."""
    retried = await run_as_service(service_db, actions.retry_failed_jobs, staff.key_name, task)
    return RetriedJobsResponse.model_validate({"success": True, "data": {"retried": retried}})
