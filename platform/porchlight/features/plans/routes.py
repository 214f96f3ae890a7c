"""GET /api/plans."""

from __future__ import annotations

from fastapi import APIRouter, Response

from porchlight.features.plans.plans import PLANS
from porchlight.features.plans.schemas import PlanList, PlanResponse, PlansResponse
from tenants.http.routes import StrictRoute

router = APIRouter(prefix="/api", tags=["plans"], route_class=StrictRoute)


@router.get("/plans", response_model=PlansResponse, operation_id="list_plans", summary="List membership plans")
async def list_plans(response: Response) -> PlansResponse:
    """Return the membership plans with their prices and features (SPEC 6, SPEC 9)."""
    response.headers["cache-control"] = "public, max-age=300"
    plans = [
        PlanResponse(
            slug=plan.slug,
            name=plan.name,
            price_cents=plan.price_cents,
            currency="USD",
            interval=plan.interval,
            features=list(plan.features),
        )
        for plan in PLANS
    ]
    return PlansResponse(success=True, data=PlanList(plans=plans))
