"""POST /api/reports: report a site, a post, a profile, a listing, a question or a review."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Request, Response, status

from porchlight.auth.staff import FeatureDisabled
from porchlight.dependencies import AuthenticatedUser, Context, IdempotencyKey, optional_user
from porchlight.features.reports.schemas import ReportPayload, ReportResponse
from sites.reports import actions
from sites.reports.actions import REPORTS_PER_HOUR, THANKS, reporter
from tenants.http.proof_of_work import HEADER as PROOF_HEADER
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.tenancy.current import host_tenant

router = FeatureRouter(prefix="/api", tags=["reports"], route_class=StrictRoute)


async def _reporting_user(request: Request, context: Context) -> AuthenticatedUser | None:
    """Return the signed-in user on the main platform. Reports on a guru's host are anonymous."""
    return None if host_tenant(request.scope) else await optional_user(request, context)


@router.post(
    "/reports",
    response_model=ReportResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_report",
    summary="Create a report",
    responses={200: {"model": ReportResponse, "description": "A resend of the same report."}},
)
async def create_report(
    request: Request,
    response: Response,
    context: Context,
    key: IdempotencyKey,
    user: Annotated[AuthenticatedUser | None, Depends(_reporting_user)],
    payload: ReportPayload,
    proof: Annotated[str, Header(alias=PROOF_HEADER, description="A solved challenge of a 429 `proof_required`.")] = "",
) -> ReportResponse:
    """Create a report. A resend creates no second one. A hidden subject is a 404, like an unknown one."""
    tenant = host_tenant(request.scope)
    if not await context.flags.on("systemReports", tenant.id if tenant else None):
        raise FeatureDisabled
    if tenant is not None and (payload.kind not in ("site", "post") or payload.name.partition("/")[0] != tenant.label):
        raise NotFound
    reported_by = reporter(
        context.settings.address_secret,
        request.client.host if request.client else "",
        user.user_id if user else None,
        is_verified=user is not None and user.email_verified,
    )
    if not await actions.create_report(
        context.db,
        (payload.kind, payload.name),
        payload,
        reporter=reported_by,
        secret=context.settings.address_secret,
        limit=None if context.settings.limits == "off" else REPORTS_PER_HOUR,
        key=key,
        proof=proof,
    ):
        response.status_code = status.HTTP_200_OK
    return ReportResponse(success=True, message=THANKS)
