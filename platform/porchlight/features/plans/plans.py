"""The membership plans (SPEC 6, SPEC 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Plan:
    """A membership plan. `price_cents`: in US cents, per `interval`."""

    slug: str
    name: str
    price_cents: int
    interval: Literal["month"] | None
    features: tuple[str, ...]


PLANS = (
    Plan(
        "community",
        "Community Member",
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
        "skill-sharer",
        "Skill Sharer",
        900,
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
        "premium-angel",
        "Premium Angel",
        1900,
        "month",
        ("Priority listing", "Analytics", "Custom branding", "Multiple categories", "Dedicated support"),
    ),
)
