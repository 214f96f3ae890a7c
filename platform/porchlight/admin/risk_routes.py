"""What the risk engine does not know, and what staff decide on it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from porchlight.admin import actions, risk_reviews
from porchlight.admin.risk_schemas import RiskDecisionPayload, RiskReviewAnswer, RiskReviewsAnswer
from porchlight.parts import Parts
from porchlight.staff import Overseer, TheStaff
from sites.parts import StrictRoute
from tenants.kit.ids import known_id

router = APIRouter(prefix="/risk-reviews", tags=["admin"], route_class=StrictRoute)


@router.get("", response_model=RiskReviewsAnswer, operation_id="risk_reviews", summary="What nobody has rated yet")
async def read_reviews(
    overseer: Overseer,
    _staff: TheStaff,
    parts: Parts,
    status: Annotated[Literal["waiting", "decided"], Query(description="What waits, or what is decided.")] = "waiting",
    search: Annotated[str, Query(max_length=100, description="Part of its words.")] = "",
    cursor: Annotated[str | None, Query(max_length=46)] = None,
) -> RiskReviewsAnswer:
    """Of what waits, the most asked about first; of what is decided, the newest decision first."""
    decided = status == "decided"
    page = await risk_reviews.reviews(overseer, parts.risk, decided=decided, search=search, after=cursor)
    return RiskReviewsAnswer.model_validate({"success": True, "data": page})


@router.get("/{review_id}", response_model=RiskReviewAnswer, operation_id="risk_review", summary="One of them")
async def read_review(overseer: Overseer, _staff: TheStaff, parts: Parts, review_id: str) -> RiskReviewAnswer:
    """Everything about it, with listings that are called so."""
    found = await risk_reviews.review(overseer, parts.risk, review_id)
    return RiskReviewAnswer.model_validate({"success": True, "data": found})


@router.put(
    "/{review_id}/decision",
    response_model=RiskReviewAnswer,
    operation_id="decide_risk",
    summary="Decide how risky it is",
)
async def decide(
    overseer: Overseer, staff: TheStaff, parts: Parts, review_id: str, payload: RiskDecisionPayload
) -> RiskReviewAnswer:
    """It counts from then on wherever it is judged, in all workers. Who comes second to a colleague is told (409)."""
    wanted = known_id(review_id)
    decision = actions.RiskDecision(payload.level, payload.note, payload.replaces)
    await asyncio.to_thread(actions.decide_risk, overseer.dsn, staff.key_name, wanted, decision)
    found = await risk_reviews.review(overseer, parts.risk, review_id)
    return RiskReviewAnswer.model_validate({"success": True, "data": found})
