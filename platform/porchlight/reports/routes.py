"""POST /api/reports: anybody says that something is wrong with a site, a post, a profile or a listing."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response, status

from porchlight.parts import IdempotencyKey, Parts, maybe_user, tenant_of
from porchlight.reports.schemas import ReportAnswer, ReportPayload
from porchlight.staff import NotYet
from sites.parts import StrictRoute
from sites.reports.actions import THANKS, UNLIMITED, ReportLimits, leave_report, reporter
from tenants.kit.errors import NotFound

router = APIRouter(prefix="/api", tags=["platform"], route_class=StrictRoute)


async def _signed_in(request: Request, parts: Parts) -> UUID | None:
    """Who is signed in on the main host. On a guru's own host a report is anybody's: its cookie is not looked at."""
    person = None if tenant_of(request) else await maybe_user(request, parts)
    return person.user_id if person else None


@router.post(
    "/reports",
    response_model=ReportAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="leave_report",
    summary="Report something to the staff",
    responses={200: {"model": ReportAnswer, "description": "A resend of the same report."}},
)
async def post_report(
    request: Request,
    response: Response,
    parts: Parts,
    key: IdempotencyKey,
    user_id: Annotated[UUID | None, Depends(_signed_in)],
    sent: ReportPayload,
) -> ReportAnswer:
    """Leave a report. Sent again, it is still one. What is hidden answers like what does not exist."""
    tenant = tenant_of(request)
    if not await parts.flags.on("systemReports", tenant.id if tenant else None):
        raise NotYet
    if tenant is not None and (sent.kind not in ("site", "post") or sent.name.partition("/")[0] != tenant.label):
        raise NotFound
    who = reporter(parts.settings.address_secret, request.client.host if request.client else "", user_id)
    limits = UNLIMITED if parts.settings.limits == "off" else ReportLimits()
    if not await leave_report(parts.db, (sent.kind, sent.name), sent, who=who, limits=limits, key=key):
        response.status_code = status.HTTP_200_OK
    return ReportAnswer(success=True, message=THANKS)
