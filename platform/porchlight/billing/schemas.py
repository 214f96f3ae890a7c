"""Plans on the wire."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import Answer


class PlanAnswer(Answer):
    """A plan; `interval` is null for what costs nothing."""

    slug: str
    name: str
    price_cents: int
    currency: str
    interval: Literal["month"] | None
    features: list[str]


class Plans(Answer):
    """Every plan, the cheapest first."""

    plans: list[PlanAnswer]


class PlansAnswer(Answer):
    """The answer of GET /api/plans."""

    success: bool
    data: Plans
