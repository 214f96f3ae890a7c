"""GET /api/plans."""

from __future__ import annotations

from fastapi import APIRouter, Response

from porchlight.billing.plans import PLANS
from porchlight.billing.schemas import PlanAnswer, Plans, PlansAnswer
from sites.parts import StrictRoute

router = APIRouter(prefix="/api", tags=["platform"], route_class=StrictRoute)


@router.get("/plans", response_model=PlansAnswer, operation_id="plans", summary="Membership plans")
async def read_plans(response: Response) -> PlansAnswer:
    """What membership costs and brings (SPEC 6 and 9)."""
    response.headers["cache-control"] = "public, max-age=300"
    plans = [
        PlanAnswer(
            slug=plan.slug,
            name=plan.name,
            price_cents=plan.price_cents,
            currency="USD",
            interval=plan.interval,
            features=list(plan.features),
        )
        for plan in PLANS
    ]
    return PlansAnswer(success=True, data=Plans(plans=plans))
