"""The meaning of a subscription at Stripe: a pure function of the fetched object, never of an event's kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug

# `paused` and `unpaid` subscriptions exist at Stripe but confer nothing until they are paid.
STATES: Mapping[str, str] = {
    "incomplete": "incomplete",
    "incomplete_expired": "gone",
    "trialing": "active",
    "active": "active",
    "past_due": "past_due",
    "unpaid": "unpaid",
    "paused": "unpaid",
    "canceled": "canceled",
}
EXPANDED = ("default_payment_method", "schedule")


class UnknownPrice(Exception):
    """The subscription has a price that `porchlight billing sync` did not create."""


@dataclass(frozen=True, slots=True)
class SubscriptionFacts:
    """A subscription. `next_plan` and `next_interval`: what it changes to when the period ends, or None."""

    sub_id: str
    customer_id: str
    plan: PlanSlug
    interval: str
    state: str
    created_at: datetime
    period_start: datetime
    period_end: datetime
    cancel_at_end: bool
    next_plan: PlanSlug | None
    next_interval: str | None
    item_id: str
    schedule_id: str
    card_brand: str
    card_last4: str
    ended_unpaid: bool


def subscription_facts(fetched: Mapping[str, Any]) -> SubscriptionFacts:
    """Read a fetched subscription, with or without EXPANDED. Raises UnknownPrice."""
    item = fetched["items"]["data"][0]
    plan, interval = plan_of_price(item["price"])
    schedule = fetched.get("schedule") or ""
    planned = _planned(schedule)
    next_plan, next_interval = planned if planned not in (None, (plan, interval)) else (None, None)
    # What has ended is not charged, and a deleted account keeps no card.
    brand, last4 = card_of(fetched.get("default_payment_method")) if fetched["status"] != "canceled" else ("", "")
    reason = (fetched.get("cancellation_details") or {}).get("reason")
    return SubscriptionFacts(
        sub_id=fetched["id"],
        customer_id=id_of(fetched["customer"]),
        plan=plan,
        interval=interval,
        state=STATES[fetched["status"]],
        created_at=moment(fetched["created"]),
        period_start=moment(item["current_period_start"]),
        period_end=_end(fetched, item),
        cancel_at_end=bool(fetched.get("cancel_at_period_end") or fetched.get("cancel_at")),
        next_plan=next_plan,
        next_interval=next_interval,
        item_id=item["id"],
        schedule_id=id_of(schedule),
        card_brand=brand,
        card_last4=last4,
        ended_unpaid=reason == "payment_failed",
    )


def plan_of_price(price: Mapping[str, Any]) -> tuple[PlanSlug, str]:
    """Return plan and interval of a price. The metadata stays when a newer price takes over the lookup key."""
    metadata = price.get("metadata") or {}
    try:
        plan = PlanSlug(metadata["plan"])
    except (KeyError, ValueError) as error:
        raise UnknownPrice(price.get("id")) from error
    if PLANS_BY_SLUG[plan].price_cents == 0:
        raise UnknownPrice(price.get("id"))
    return plan, str(price["recurring"]["interval"])


def card_of(payment_method: Any) -> tuple[str, str]:
    """Return brand and last four digits of an expanded payment method, or empty strings."""
    card = payment_method.get("card") if isinstance(payment_method, Mapping) else None
    return (str(card["brand"]), str(card["last4"])) if card else ("", "")


def id_of(reference: Any) -> str:
    """Return the id of an expandable field, or an empty string."""
    return str(reference["id"] if isinstance(reference, Mapping) else reference or "")


def moment(epoch_seconds: int) -> datetime:
    """Return a time of Stripe."""
    return datetime.fromtimestamp(epoch_seconds, UTC)


def _end(fetched: Mapping[str, Any], item: Mapping[str, Any]) -> datetime:
    """Return the end of the paid period: an immediate cancellation ends it early."""
    end = item["current_period_end"]
    ended = fetched.get("ended_at")
    return moment(min(end, ended) if ended else end)


def _planned(schedule: Any) -> tuple[PlanSlug, str] | None:
    """Return the plan and interval that our schedule changes to; see `writes.phases`."""
    metadata = (schedule.get("metadata") or {}) if isinstance(schedule, Mapping) else {}
    if not metadata.get("next_plan"):
        return None
    return PlanSlug(metadata["next_plan"]), str(metadata["next_interval"])
