"""The membership plans (SPEC 6, SPEC 9), and which of their points are not built yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal


class PlanSlug(StrEnum):
    """The plans, cheapest first."""

    COMMUNITY = "community"
    SKILL_SHARER = "skill-sharer"
    PREMIUM_ANGEL = "premium-angel"


@dataclass(frozen=True, slots=True)
class Plan:
    """A membership plan. `price_cents`: in US cents, per `interval`. `yearly_price_cents`: in US cents, per year."""

    slug: PlanSlug
    name: str
    price_cents: int
    yearly_price_cents: int
    interval: Literal["month"] | None
    features: tuple[str, ...]


PLANS = (
    Plan(
        PlanSlug.COMMUNITY,
        "Community Member",
        0,
        0,
        None,
        (
            "Browse skills and services",
            "Basic profile",
            "Message neighbors",
            "Join discussions",
            "Safety resources",
        ),
    ),
    Plan(
        PlanSlug.SKILL_SHARER,
        "Skill Sharer",
        900,
        9000,
        "month",
        (
            "Offer skills and services",
            "AI session matching",
            "Calendar integration",
            "Payment processing",
            "Enhanced profile",
        ),
    ),
    Plan(
        PlanSlug.PREMIUM_ANGEL,
        "Premium Angel",
        1900,
        19000,
        "month",
        ("Priority listing", "Analytics", "Custom branding", "Multiple categories", "Dedicated support"),
    ),
)

# Points without code behind them, until they are built.
COMING_FEATURES = frozenset({"Join discussions", "Safety resources", "Payment processing"})

PLANS_BY_SLUG: Mapping[PlanSlug, Plan] = MappingProxyType({plan.slug: plan for plan in PLANS})
