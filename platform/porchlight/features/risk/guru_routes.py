"""The risk of the guru's services, and requests to review it."""

from __future__ import annotations

from fastapi import status

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.contracts import OfferRisk
from porchlight.dependencies import CurrentUser, OptionalUser
from porchlight.features.risk.guru_schemas import (
    ServiceReviewData,
    ServiceReviewPayload,
    ServiceRisk,
    ServiceRiskResponse,
)
from porchlight.features.risk.service_reviews import ReviewState, request_service_review, review_state
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import Forbidden
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["risk"], route_class=StrictRoute)


@router.get(
    "/services/{service_id}/risk",
    response_model=ServiceRiskResponse,
    operation_id="get_service_risk",
    summary="Get the risk of a service",
)
async def get_service_risk(console: CurrentConsole, user: OptionalUser, service_id: str) -> ServiceRiskResponse:
    """Return our rating of a service with the reasons, and the review that the guru asked for."""
    user_id = user.user_id if user is not None and not console.is_impersonated else None
    async with unit_of_work(console.app_context.db, tenant_id=console.tenant_id, user_id=user_id) as session:
        state = await review_state(session, user_id, console.tenant_id, parse_id_or_404(service_id))
    return await _response(console, state)


@router.post(
    "/services/{service_id}/risk-review",
    response_model=ServiceRiskResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="request_service_review",
    summary="Ask for a review of a service's risk",
)
async def request_review(
    console: CurrentConsole, user: CurrentUser, service_id: str, payload: ServiceReviewPayload
) -> ServiceRiskResponse:
    """Ask staff to review the rating. 409 while a request is open, after a review, or with three open requests."""
    if console.is_impersonated:
        raise Forbidden
    wanted = parse_id_or_404(service_id)
    async with unit_of_work(console.app_context.db, tenant_id=console.tenant_id, user_id=user.user_id) as session:
        await request_service_review(session, user.user_id, console.tenant_id, wanted, payload.sentence)
        state = await review_state(session, user.user_id, console.tenant_id, wanted)
    return await _response(console, state)


async def _response(console: ConsoleContext, state: ReviewState) -> ServiceRiskResponse:
    service, review, can_ask = state
    risk = await console.app_context.risk.assess_activity(service.category, service.name)
    shown = OfferRisk(rating=risk.rating, requires_waiver=risk.requires_waiver, reasons=risk.reasons, known=risk.known)
    asked = None
    if review is not None:
        asked = ServiceReviewData(
            sentence=review.sentence,
            level=review.level,
            asked_at=clock.to_iso8601(review.asked_at),
            answered_at=clock.to_iso8601(review.answered_at) if review.answered_at else None,
        )
    data = ServiceRisk(risk=shown, own_rating=service.own_rating, review=asked, can_ask=can_ask)
    return ServiceRiskResponse(success=True, data=data)
