"""The meaning of a wish for another plan: pure, on the facts of one moment."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from porchlight.plans.plans import PlanSlug

Interval = Literal["month", "year"]
Kind = Literal[
    "upgrade",  # now
    "downgrade",  # when the paid period ends
    "cancel",  # likewise
    "keep",  # a planned change is taken back
]
Problem = Literal[
    "no_subscription", "payment_failed", "change_in_progress", "change_pending", "no_change", "not_set_up",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

# Of the current user; no row without a subscription.
CHANGE_FACTS = """
SELECT s.state, s.plan, s.interval, s.cancel_at_end, s.next_plan IS NOT NULL AS is_replaced,
       EXISTS (SELECT FROM plan_changes c WHERE c.user_id = s.user_id AND c.state = 'requested') AS is_changing,
       app.billing_object(%(plan)s || '-' || %(interval)s) IS NOT NULL AS has_price
  FROM subscriptions s
 WHERE s.user_id = app.user_id() AND s.state IN ('incomplete', 'active', 'past_due')"""


class ChangeFacts(NamedTuple):
    """A subscription, and what else decides whether it can change.

    `cancel_at_end`, `is_replaced`: what is planned for the end of the paid period. `is_changing`: a change is on its
    way to Stripe. `has_price`: the wanted plan has one there.
    """

    state: str
    plan: str
    interval: str
    cancel_at_end: bool = False
    is_replaced: bool = False
    is_changing: bool = False
    has_price: bool = True


def change_kind(facts: ChangeFacts | None, plan: PlanSlug, interval: str) -> Kind | Problem:
    """Return the kind of change to a plan, or why it is not possible now."""
    if facts is None or facts.state == "incomplete":
        return "no_subscription"
    if facts.is_changing:
        return "change_in_progress"
    is_planned = facts.cancel_at_end or facts.is_replaced
    if (plan, interval) == (facts.plan, facts.interval):
        return "keep" if is_planned else "no_change"
    if is_planned:
        return "no_change" if plan is PlanSlug.COMMUNITY and facts.cancel_at_end else "change_pending"
    if plan is PlanSlug.COMMUNITY:
        return "cancel"
    if facts.state == "past_due":
        return "payment_failed"
    if not facts.has_price:
        return "not_set_up"
    is_smaller = facts.plan == PlanSlug.PREMIUM_ANGEL and plan is PlanSlug.SKILL_SHARER
    return "downgrade" if is_smaller or (facts.interval, interval) == ("year", "month") else "upgrade"
