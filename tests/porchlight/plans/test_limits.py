"""The table of limits, and the errors that it leads to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest

import porchlight.plans
from porchlight.plans.errors import LimitReached, PlanRequired, limit_error
from porchlight.plans.limits import LIMITS, NAMES, PlanFeature, allowance
from porchlight.plans.plans import PLANS, PlanSlug
from porchlight.plans.points import plan_points
from sites.services.defaults import DEFAULTS

FORBIDDEN_ERRORS = re.compile(r"class \w+\(Forbidden\):.*?(?=\nclass |\Z)", re.S)
ROOT = Path(__file__).parents[3]
PRODUCT = Path(porchlight.plans.__file__).parents[1]


def test_limits_are_those_of_design() -> None:
    assert {feature: tuple(LIMITS[plan][feature] for plan in PlanSlug) for feature in PlanFeature} == {
        "exchange_offers": (3, 20, 100),
        "priced_offers": (0, 20, 100),
        "priced_services": (3, 20, 100),
        "card_payments": (False, True, True),
        "matches": (2, True, True),
        "calendar_feed": (False, True, True),
        "work_photos": (1, 10, 30),
        "listed_categories": (1, 1, 10),
        "own_colors": (False, False, True),
        "own_domain": (False, False, True),
        "priority": (False, False, True),
        "analytics_days": (7, 30, 730),
        "analytics_csv": (False, False, True),
        "support_days": (0, 2, 1),
    }
    assert LIMITS[PlanSlug.COMMUNITY][PlanFeature.PRICED_SERVICES] == len(DEFAULTS)
    assert set(NAMES) == set(PlanFeature)


def test_limits_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        cast("dict[Any, Any]", LIMITS[PlanSlug.COMMUNITY])[PlanFeature.MATCHES] = 50
    with pytest.raises(TypeError):
        cast("dict[Any, Any]", LIMITS)[PlanSlug.COMMUNITY] = {}


def test_points_say_what_the_limits_allow() -> None:
    assert {plan: plan_points(plan) for plan in PlanSlug} == {
        "community": [
            "A guru site at your own Porchlight address",
            "Everyone you match with both ways",
            "2 more matches",
            "3 priced services",
            "3 skills to swap or give",
            "1 work photo",
            "7 days of statistics",
        ],
        "skill-sharer": [
            "All matches",
            "20 priced services",
            "20 priced skills",
            "20 skills to swap or give",
            "10 work photos",
            "30 days of statistics",
            "Answers from our team within 2 business days",
        ],
        "premium-angel": [
            "Your own domain",
            "Your own colors",
            "100 priced services",
            "100 priced skills",
            "100 skills to swap or give",
            "30 work photos",
            "24 months of statistics",
            "Answers from our team within 1 business day",
        ],
    }


def test_fallback_of_the_web_has_the_same_points() -> None:
    source = (ROOT / "main-web/src/features/billing/api/get-plans.ts").read_text("utf-8")
    lists = [json.loads(f"[{found}]") for found in re.findall(r"points: \[\s*(.*?),?\s*\]", source, re.S)]
    assert lists == [plan_points(plan) for plan in PlanSlug]


def test_yearly_plans_save_two_months() -> None:
    assert [(plan.price_cents, plan.yearly_price_cents) for plan in PLANS] == [(0, 0), (900, 9000), (1900, 19000)]
    assert all(plan.yearly_price_cents == 10 * plan.price_cents for plan in PLANS)


@pytest.mark.parametrize("plan", list(PlanSlug))
@pytest.mark.parametrize("feature", [feature for feature in PlanFeature if feature is not PlanFeature.SUPPORT_DAYS])
def test_limit_error_offers_plan_that_helps(plan: PlanSlug, feature: PlanFeature) -> None:
    if allowance(plan, feature) == float("inf"):
        return
    used = int(allowance(plan, feature))
    error = limit_error(plan, feature, used)
    body = cast("dict[str, Any]", error.body()["error"])
    assert body["feature"] == feature
    if isinstance(error, PlanRequired):
        assert (error.status, body["code"]) == (402, "plan_required")
        assert allowance(PlanSlug(body["plan"]), feature) > used
    else:
        assert isinstance(error, LimitReached)
        assert (error.status, body["code"], body["plan"]) == (409, "limit_reached", plan)


@pytest.mark.parametrize(
    ("plan", "feature", "used", "message"),
    [
        ("community", "priced_offers", 0, "Priced offers are part of Skill Sharer ($9 a month)."),
        (
            "community", "exchange_offers", 3,
            "More than 3 swap, hours or free offers are part of Skill Sharer ($9 a month).",
        ),
        ("community", "work_photos", 1, "More than one work photo is part of Skill Sharer ($9 a month)."),
        ("community", "priced_services", 30, "More than 3 priced services are part of Premium Angel ($19 a month)."),
        ("skill-sharer", "own_domain", 0, "A domain of your own is part of Premium Angel ($19 a month)."),
        (
            "premium-angel", "priced_offers", 100,
            "Premium Angel includes up to 100 priced offers. Delete one to add another.",
        ),
    ],
)  # fmt: skip
def test_limit_error_says_what_and_how_much(plan: str, feature: str, used: int, message: str) -> None:
    assert limit_error(PlanSlug(plan), PlanFeature(feature), used).message == message


def test_no_403_offers_plan() -> None:
    names = re.compile("|".join(plan.name for plan in PLANS[1:]))
    for path in sorted(PRODUCT.rglob("*.py")):
        for error in re.findall(
            r"class \w+\((?:Forbidden|OwnerSuspended)\):.*?(?=\nclass |\Z)", path.read_text(), re.S
        ):
            assert not names.search(error), path
