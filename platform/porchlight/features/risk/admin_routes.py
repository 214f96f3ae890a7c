"""Routes of risk reviews: activities that the risk engine does not know, and decisions on them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.dependencies import Context
from porchlight.features.risk import admin_actions, admin_queries
from porchlight.features.risk.admin_schemas import RiskDecisionPayload, RiskReviewResponse, RiskReviewsResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/admin/risk-reviews", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=RiskReviewsResponse, operation_id="list_risk_reviews", summary="List risk reviews")
async def list_risk_reviews(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    context: Context,
    status: Annotated[Literal["waiting", "decided"], Query(description="Waiting or decided reviews.")] = "waiting",
    search: Annotated[str, Query(max_length=100, description="A part of the activity.")] = "",
    cursor: Annotated[str | None, Query(max_length=46)] = None,
) -> RiskReviewsResponse:
    """List waiting reviews by occurrences, or decided ones, newest decision first."""
    page = await admin_queries.reviews(
        service_db, context.risk, decided=status == "decided", search=search, after=cursor
    )
    return RiskReviewsResponse.model_validate({"success": True, "data": page})


@router.get(
    "/{review_id}", response_model=RiskReviewResponse, operation_id="get_risk_review", summary="Get risk review"
)
async def get_risk_review(
    service_db: ServiceDatabase, _staff: CurrentStaff, context: Context, review_id: str
) -> RiskReviewResponse:
    """Return a review with all details and examples of listings."""
    review = await admin_queries.review(service_db, context.risk, review_id)
    return RiskReviewResponse.model_validate({"success": True, "data": review})


@router.put(
    "/{review_id}/decision",
    response_model=RiskReviewResponse,
    operation_id="decide_risk",
    summary="Decide risk",
)
async def decide_risk(
    service_db: ServiceDatabase,
    staff: CurrentStaff,
    context: Context,
    review_id: str,
    payload: RiskDecisionPayload,
) -> RiskReviewResponse:
    """Decide the risk of an activity, effective in all workers. 409 if another admin decided in the meantime."""
    parsed_id = parse_id_or_404(review_id)
    decision = admin_actions.RiskDecision(payload.level, payload.note, payload.replaces)
    await run_as_service(service_db, admin_actions.decide_risk, staff.key_name, parsed_id, decision)
    review = await admin_queries.review(service_db, context.risk, review_id)
    return RiskReviewResponse.model_validate({"success": True, "data": review})
