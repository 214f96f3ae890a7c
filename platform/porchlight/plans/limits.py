"""The only table of plan limits. SQL functions get it as JSON (`limits_json`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import orjson

from porchlight.plans.plans import PLANS, PLANS_BY_SLUG, PlanSlug


class PlanFeature(StrEnum):
    """A feature that a plan limits."""

    EXCHANGE_OFFERS = "exchange_offers"  # for a swap, for hours or for free
    PRICED_OFFERS = "priced_offers"
    PRICED_SERVICES = "priced_services"  # of a guru site
    CARD_PAYMENTS = "card_payments"  # with tips and packages
    MATCHES = "matches"  # that fit one way; those that fit both ways are in all plans, and the rest is counted
    CALENDAR_FEED = "calendar_feed"
    WORK_PHOTOS = "work_photos"  # of all listings together
    LISTED_CATEGORIES = "listed_categories"  # any number may be picked
    OWN_COLORS = "own_colors"
    OWN_DOMAIN = "own_domain"
    PRIORITY = "priority"
    ANALYTICS_DAYS = "analytics_days"
    ANALYTICS_CSV = "analytics_csv"
    SUPPORT_DAYS = "support_days"  # business days until an answer; 0: no promise


# By plan, cheapest first. A number is a limit. True: unlimited; False: not part of the plan.
_ROWS: Mapping[PlanFeature, tuple[int | bool, int | bool, int | bool]] = MappingProxyType(
    {
        PlanFeature.EXCHANGE_OFFERS: (3, 20, 100),
        PlanFeature.PRICED_OFFERS: (0, 20, 100),
        PlanFeature.PRICED_SERVICES: (3, 20, 100),  # Community Member: as many as a new site's defaults (SPEC 9)
        PlanFeature.CARD_PAYMENTS: (False, True, True),
        PlanFeature.MATCHES: (2, True, True),
        PlanFeature.CALENDAR_FEED: (False, True, True),
        PlanFeature.WORK_PHOTOS: (1, 10, 30),
        PlanFeature.LISTED_CATEGORIES: (1, 1, 10),
        PlanFeature.OWN_COLORS: (False, False, True),
        PlanFeature.OWN_DOMAIN: (False, False, True),
        PlanFeature.PRIORITY: (False, False, True),
        PlanFeature.ANALYTICS_DAYS: (7, 30, 730),
        PlanFeature.ANALYTICS_CSV: (False, False, True),
        PlanFeature.SUPPORT_DAYS: (0, 2, 1),
    }
)
LIMITS: Mapping[PlanSlug, Mapping[PlanFeature, int | bool]] = MappingProxyType(
    {
        plan: MappingProxyType({feature: row[column] for feature, row in _ROWS.items()})
        for column, plan in enumerate(PlanSlug)
    }
)


@dataclass(frozen=True, slots=True)
class FeatureName:
    """The words for a feature: `many` begins a sentence, and `one` names a single thing of those that are counted."""

    many: str
    one: str = ""
    is_plural: bool = True


NAMES: Mapping[PlanFeature, FeatureName] = MappingProxyType(
    {
        PlanFeature.EXCHANGE_OFFERS: FeatureName("Swap, hours and free offers", "swap, hours or free offer"),
        PlanFeature.PRICED_OFFERS: FeatureName("Priced offers", "priced offer"),
        PlanFeature.PRICED_SERVICES: FeatureName("Priced services", "priced service"),
        PlanFeature.CARD_PAYMENTS: FeatureName("Card payments"),
        PlanFeature.MATCHES: FeatureName("All matches", "match"),
        PlanFeature.CALENDAR_FEED: FeatureName("Calendar integration", is_plural=False),
        PlanFeature.WORK_PHOTOS: FeatureName("Work photos", "work photo"),
        PlanFeature.LISTED_CATEGORIES: FeatureName("Several categories", "listed category"),
        PlanFeature.OWN_COLORS: FeatureName("Colors of your own"),
        PlanFeature.OWN_DOMAIN: FeatureName("A domain of your own", is_plural=False),
        PlanFeature.PRIORITY: FeatureName("Priority in lists", is_plural=False),
        PlanFeature.ANALYTICS_DAYS: FeatureName("Longer statistics"),
        PlanFeature.ANALYTICS_CSV: FeatureName("Statistics as a file"),
        PlanFeature.SUPPORT_DAYS: FeatureName("Support by a promised time", is_plural=False),
    }
)


def allowance(plan: PlanSlug, feature: PlanFeature) -> float:
    """Return how much of a feature a plan allows: a number, infinity or 0."""
    limit = LIMITS[plan][feature]
    if isinstance(limit, bool):
        return float("inf") if limit else 0
    return limit


def cheapest_plan(feature: PlanFeature, needed: int) -> PlanSlug | None:
    """Return the cheapest plan that allows `needed` of a feature, or None."""
    return next((plan.slug for plan in PLANS if allowance(plan.slug, feature) >= needed), None)


def monthly_price(plan: PlanSlug) -> str:
    """Return a plan's price as in "$9 a month"."""
    return f"${PLANS_BY_SLUG[plan].price_cents // 100} a month"


def limits_json() -> str:
    """Return the limits as JSON, by plan and feature, for `app.limit_offers` and `LIMIT_SITE`."""
    return orjson.dumps(
        {plan: dict(limits) for plan, limits in LIMITS.items()}, option=orjson.OPT_NON_STR_KEYS
    ).decode()
