"""Response schemas that features share."""

from __future__ import annotations

from porchlight.plans.limits import LIMITS, PlanFeature
from porchlight.plans.plans import PlanSlug
from tenants.kit.schemas import ResponseModel


class Usage(ResponseModel):
    """How many of a counted feature exist, and how many the plan allows."""

    used: int
    limit: int


def usage(plan: PlanSlug, feature: PlanFeature, used: int) -> Usage:
    """Return the usage of a feature whose limit is a number in each plan."""
    return Usage(used=used, limit=int(LIMITS[plan][feature]))
