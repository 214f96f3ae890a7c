"""Response schemas of membership plans."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import ResponseModel


class PlanResponse(ResponseModel):
    """A plan. `interval`: null for a free plan."""

    slug: str
    name: str
    price_cents: int
    currency: str
    interval: Literal["month"] | None
    features: list[str]


class PlanList(ResponseModel):
    """All plans, cheapest first."""

    plans: list[PlanResponse]


class PlansResponse(ResponseModel):
    """The response of GET /api/plans."""

    success: bool
    data: PlanList
