"""Kinds of changes of a plan, and why one is not possible, case by case."""

from __future__ import annotations

import pytest

from porchlight.features.billing.plan_changes import ChangeFacts, change_kind
from porchlight.plans.plans import PlanSlug

COMMUNITY, SHARER, PREMIUM = PlanSlug.COMMUNITY, PlanSlug.SKILL_SHARER, PlanSlug.PREMIUM_ANGEL
MONTHLY = ChangeFacts("active", "skill-sharer", "month")
YEARLY = ChangeFacts("active", "premium-angel", "year")
ENDS = MONTHLY._replace(cancel_at_end=True)
SHRINKS = YEARLY._replace(is_replaced=True)
UNPAID = YEARLY._replace(state="past_due")


@pytest.mark.parametrize(
    ("facts", "plan", "interval", "found"),
    [
        (None, PREMIUM, "month", "no_subscription"),
        (MONTHLY._replace(state="incomplete"), PREMIUM, "month", "no_subscription"),
        (MONTHLY._replace(is_changing=True), PREMIUM, "month", "change_in_progress"),
        (MONTHLY._replace(is_changing=True), SHARER, "month", "change_in_progress"),
        # The plan, or its interval, or both.
        (MONTHLY, PREMIUM, "month", "upgrade"),
        (MONTHLY, SHARER, "year", "upgrade"),
        (MONTHLY, PREMIUM, "year", "upgrade"),
        (YEARLY, SHARER, "year", "downgrade"),
        (YEARLY, PREMIUM, "month", "downgrade"),
        (YEARLY, SHARER, "month", "downgrade"),
        (YEARLY._replace(plan="skill-sharer"), PREMIUM, "month", "downgrade"),
        (YEARLY._replace(interval="month"), SHARER, "year", "downgrade"),
        (MONTHLY, SHARER, "month", "no_change"),
        (MONTHLY, COMMUNITY, "month", "cancel"),
        (YEARLY, COMMUNITY, "month", "cancel"),
        # Something is planned for the end of the period.
        (ENDS, SHARER, "month", "keep"),
        (ENDS, COMMUNITY, "month", "no_change"),
        (ENDS, PREMIUM, "month", "change_pending"),
        (SHRINKS, PREMIUM, "year", "keep"),
        (SHRINKS, SHARER, "year", "change_pending"),
        (SHRINKS, COMMUNITY, "month", "change_pending"),
        # The last charge failed.
        (UNPAID, SHARER, "year", "payment_failed"),
        (UNPAID, COMMUNITY, "month", "cancel"),
        (UNPAID, PREMIUM, "year", "no_change"),
        (UNPAID._replace(cancel_at_end=True), PREMIUM, "year", "keep"),
        # Stripe has no price yet.
        (MONTHLY._replace(has_price=False), PREMIUM, "month", "not_set_up"),
        (YEARLY._replace(has_price=False), SHARER, "year", "not_set_up"),
        (MONTHLY._replace(has_price=False), COMMUNITY, "month", "cancel"),
        (ENDS._replace(has_price=False), SHARER, "month", "keep"),
    ],
)
def test_plan_change_kind_follows_facts(facts: ChangeFacts | None, plan: PlanSlug, interval: str, found: str) -> None:
    assert change_kind(facts, plan, interval) == found
