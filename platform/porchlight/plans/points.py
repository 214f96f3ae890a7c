"""The words for what a plan gives, for the pricing page, from the limits that the code enforces."""

from __future__ import annotations

from collections.abc import Callable

from porchlight.plans.limits import LIMITS, PlanFeature
from porchlight.plans.plans import PlanSlug

_DAYS_PER_MONTH = 365 / 12


def plan_points(plan: PlanSlug) -> list[str]:
    """Return the points of a plan that the one below it doesn't have, the most useful first."""
    below = list(PlanSlug)[: list(PlanSlug).index(plan)]
    points = [text(LIMITS[plan][feature]) for feature, text in _TEXTS if _is_more(feature, plan, below)]
    return _EVERYBODY + points if not below else points


# Of each plan, the free one too.
_EVERYBODY = ["A guru site at your own Porchlight address", "Everyone you match with both ways"]


def _is_more(feature: PlanFeature, plan: PlanSlug, below: list[PlanSlug]) -> bool:
    limit = LIMITS[plan][feature]
    return bool(limit) and (not below or limit != LIMITS[below[-1]][feature])


def _counted(one: str, many: str) -> Callable[[int | bool], str]:
    return lambda limit: f"{int(limit)} {one if limit == 1 else many}"


def _statistics(days: int | bool) -> str:
    return f"{days} days of statistics" if days < 365 else f"{round(days / _DAYS_PER_MONTH)} months of statistics"


def _matches(limit: int | bool) -> str:
    return "All matches" if limit is True else f"{int(limit)} more matches"


def _support(days: int | bool) -> str:
    return f"Answers from our team within {int(days)} business {'day' if days == 1 else 'days'}"


_TEXTS: tuple[tuple[PlanFeature, Callable[[int | bool], str]], ...] = (
    (PlanFeature.OWN_DOMAIN, lambda _limit: "Your own domain"),
    (PlanFeature.OWN_COLORS, lambda _limit: "Your own colors"),
    (PlanFeature.MATCHES, _matches),
    (PlanFeature.PRICED_SERVICES, _counted("priced service", "priced services")),
    (PlanFeature.PRICED_OFFERS, _counted("priced skill", "priced skills")),
    (PlanFeature.EXCHANGE_OFFERS, _counted("skill to swap or give", "skills to swap or give")),
    (PlanFeature.WORK_PHOTOS, _counted("work photo", "work photos")),
    (PlanFeature.ANALYTICS_DAYS, _statistics),
    (PlanFeature.SUPPORT_DAYS, _support),
)
