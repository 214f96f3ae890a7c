"""The rule of subscriptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.billing.settlement import customers, invoices
from porchlight.features.billing.settlement.facts import EXPANDED, SubscriptionFacts, UnknownPrice, id_of
from porchlight.features.billing.settlement.facts import subscription_facts as read_facts
from porchlight.plans import subscriptions
from porchlight.plans.subscriptions import StoredSubscription
from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_values
from tenants.kit.logs import log

CANCEL = "plan_cancel"

_OPEN = """
SELECT sub_id FROM subscriptions
 WHERE sub_id IS NOT NULL AND checked_at < %(before)s
   AND (state IN ('incomplete', 'past_due', 'unpaid')
        OR state = 'active' AND period_end < %(before)s::timestamptz + interval '2 hours')"""
_IS_WRITTEN = "SELECT FROM stripe_outbox WHERE kind = %s AND subject_id = %s"


class SubscriptionRule:
    """A subscription: its plan, its state and when it ends. The user's oldest one counts, any other is stray."""

    events = frozenset(
        f"{kind}.{change}"
        for kind, changes in {
            "customer.subscription": (
                "created", "updated", "deleted", "paused", "resumed", "pending_update_applied",
                "pending_update_expired",
            ),
            "subscription_schedule": ("created", "updated", "released", "canceled", "completed", "aborted"),
        }.items()
        for change in changes
    )  # fmt: skip

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the subscription, also of a schedule that it follows or followed."""
        fetched = event["data"]["object"]
        if fetched["object"] == "subscription":
            return str(fetched["id"])
        return id_of(fetched.get("subscription")) or fetched.get("released_subscription") or None

    def path(self, object_id: str) -> str:
        """Return the subscription's path, with its card and its schedule."""
        return f"/v1/subscriptions/{object_id}?" + "&".join(f"expand[]={name}" for name in EXPANDED)

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store the subscription unless a newer state is stored. One of a customer that is not ours is left alone."""
        if fetched is None:
            log.error("subscription_missing", subscription=object_id)
            return
        user_id = customers.user_of(conn, id_of(fetched["customer"]))
        if user_id is None:
            log.error("subscription_of_unknown_customer", subscription=object_id)
            return
        try:
            facts = read_facts(fetched)
        except UnknownPrice:
            log.error("subscription_of_unknown_price", subscription=object_id)
            return
        _store(conn, user_id, facts, source.fetched_at)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the subscriptions that can still change, from shortly before their period ends."""
        return [("", sub_id) for sub_id in fetch_values(conn, str, _OPEN, {"before": before})]


@dataclass(frozen=True, slots=True)
class _Claim:
    """The claim of a subscription to be its user's one: paid before unpaid, then the oldest."""

    is_incomplete: bool
    created_at: datetime
    sub_id: str

    def precedes(self, other: _Claim) -> bool:
        return (self.is_incomplete, self.created_at, self.sub_id) < (
            other.is_incomplete, other.created_at, other.sub_id,
        )  # fmt: skip


def _store(conn: Connection, user_id: UUID, facts: SubscriptionFacts, fetched_at: datetime) -> None:
    own = subscriptions.own_subscriptions(conn, user_id)
    stored = next((s for s in own if s.sub_id == facts.sub_id), None)
    if stored is not None and stored.checked_at >= fetched_at:
        return
    is_stray = (stored is not None and stored.is_stray) or _is_stray(conn, user_id, facts, own)
    saved = subscriptions.save_subscription(conn, {
        "user_id": user_id, "sub_id": facts.sub_id, "plan": facts.plan, "interval": facts.interval,
        "state": "gone" if is_stray else facts.state, "period_start": facts.period_start,
        "period_end": facts.period_end, "cancel_at_end": facts.cancel_at_end, "next_plan": facts.next_plan,
        "next_interval": facts.next_interval, "item_id": facts.item_id, "schedule_id": facts.schedule_id,
        "card_brand": facts.card_brand, "card_last4": facts.card_last4,
        "past_due_since": invoices.past_due_since(conn, facts), "is_stray": is_stray, "checked_at": fetched_at,
        "created_at": facts.created_at,
    })  # fmt: skip
    if not saved:
        return
    if is_stray and facts.state != "canceled":
        end_subscription(conn, facts.sub_id)
    if is_stray:
        invoices.refund_stray(conn, facts.sub_id)
    if stored is not None and _is_downgrade(stored, facts):
        subscriptions.grant_grace(conn, user_id, facts.sub_id, stored.plan, facts.period_start)


def _is_stray(conn: Connection, user_id: UUID, facts: SubscriptionFacts, own: Iterable[StoredSubscription]) -> bool:
    """Return whether another subscription of the user precedes this one. End the one that it precedes itself."""
    if facts.state not in ("incomplete", "active", "past_due"):
        return False
    claim = _Claim(facts.state == "incomplete", facts.created_at, facts.sub_id)
    for other in own:
        if other.sub_id == facts.sub_id or other.is_stray:
            continue
        if other.state == "unpaid" and facts.state == "active":
            end_subscription(conn, other.sub_id)  # the user has bought a new one instead
        elif other.is_current:
            if not claim.precedes(_Claim(other.state == "incomplete", other.created_at, other.sub_id)):
                return True
            subscriptions.mark_stray(conn, user_id, other.id)
            end_subscription(conn, other.sub_id)
            invoices.refund_stray(conn, other.sub_id)
    return False


def _is_downgrade(stored: StoredSubscription, facts: SubscriptionFacts) -> bool:
    plans = list(type(facts.plan))
    return (
        facts.state == "active"
        and plans.index(facts.plan) < plans.index(stored.plan)
        and stored.period_start is not None
        and stored.period_start < facts.period_start
    )


def end_subscription(conn: Connection, sub_id: str) -> None:
    """Cancel a subscription at Stripe now, once."""
    subject_id = subscriptions.row_id(sub_id)
    if conn.execute(_IS_WRITTEN, [CANCEL, subject_id]).fetchone() is None:
        create_write(
            conn, kind=CANCEL, subject_id=subject_id, path=f"/v1/subscriptions/{sub_id}", params={}, method="DELETE",
            tagged=False,
        )  # fmt: skip
