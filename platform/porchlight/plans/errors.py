"""Errors about plans. They name the plan that helps, so that the web can offer it. No 403 ever offers a plan."""

from __future__ import annotations

from typing import cast

from porchlight.plans.limits import NAMES, PlanFeature, allowance, cheapest_plan, monthly_price
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from tenants.kit.errors import ProductError


class _OverLimit(ProductError):
    def __init__(self, message: str, feature: PlanFeature, plan: PlanSlug, limit: int | None, used: int | None) -> None:
        super().__init__(message)
        self.feature = feature
        self.plan = plan
        self.limit = limit
        self.used = used

    def body(self) -> dict[str, object]:
        """Return the error with `feature`, `plan` and, for a feature that is counted, `limit` and `used`."""
        body = super().body()
        error = cast("dict[str, object]", body["error"])
        error |= {"feature": self.feature, "plan": self.plan}
        if self.limit is not None:
            error |= {"limit": self.limit, "used": self.used}
        return body


class PlanRequired(_OverLimit):
    """The user's plan does not include this. `plan` is the cheapest one that does."""

    status = 402
    code = "plan_required"


class LimitReached(_OverLimit):
    """No plan includes more. `plan` is the user's."""

    status = 409
    code = "limit_reached"


def limit_error(plan: PlanSlug, feature: PlanFeature, used: int) -> PlanRequired | LimitReached:
    """Return the error for a user who has `used` of a feature and wants one more."""
    name, limit = NAMES[feature], int(allowance(plan, feature))
    counts = (limit, used) if name.one else (None, None)
    better = cheapest_plan(feature, used + 1)
    if better is None:
        own = PLANS_BY_SLUG[plan].name
        message = f"{own} includes up to {limit} {name.one}s. Delete one to add another."
        return LimitReached(message, feature, plan, *counts)
    offer = f"part of {PLANS_BY_SLUG[better].name} ({monthly_price(better)})."
    if limit == 0:
        return PlanRequired(f"{name.many} {'are' if name.is_plural else 'is'} {offer}", feature, better, *counts)
    more = f"More than one {name.one} is" if limit == 1 else f"More than {limit} {name.one}s are"
    return PlanRequired(f"{more} {offer}", feature, better, *counts)
