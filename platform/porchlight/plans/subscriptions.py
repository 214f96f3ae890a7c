"""Writes to users' subscriptions, as the service role. What is stored is what was fetched, and nothing older."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from porchlight.plans.plans import PlanSlug
from tenants.db.rows import Connection, fetch_all

_IDS = UUID("5d0a2f8e-7c0b-4a57-9d5e-3a1f0c9b6e21")  # of rows whose key is made of an id at Stripe
GRACE = timedelta(days=14)  # for so long a plan lasts after a failed charge, or after its paid period

_OWN = """
SELECT id, sub_id, plan, state, period_start, is_stray, created_at, checked_at FROM subscriptions
 WHERE user_id = %s AND sub_id IS NOT NULL ORDER BY created_at, sub_id FOR UPDATE"""
_SAVE = """
INSERT INTO subscriptions AS s (user_id, id, sub_id, plan, interval, state, period_start, period_end, cancel_at_end,
  next_plan, next_interval, item_id, schedule_id, card_brand, card_last4, past_due_since, right_until, is_stray,
  checked_at, created_at)
VALUES (%(user_id)s, %(id)s, %(sub_id)s, %(plan)s, %(interval)s, %(state)s, %(period_start)s, %(period_end)s,
  %(cancel_at_end)s, %(next_plan)s, %(next_interval)s, %(item_id)s, %(schedule_id)s, %(card_brand)s, %(card_last4)s,
  %(past_due_since)s, %(right_until)s, %(is_stray)s, %(checked_at)s, %(created_at)s)
ON CONFLICT (sub_id) DO UPDATE
   SET plan = excluded.plan, interval = excluded.interval, state = excluded.state,
       period_start = excluded.period_start, period_end = excluded.period_end,
       cancel_at_end = excluded.cancel_at_end, next_plan = excluded.next_plan,
       next_interval = excluded.next_interval, item_id = excluded.item_id, schedule_id = excluded.schedule_id,
       card_brand = excluded.card_brand, card_last4 = excluded.card_last4, past_due_since = excluded.past_due_since,
       right_until = excluded.right_until, is_stray = excluded.is_stray, checked_at = excluded.checked_at
 WHERE s.checked_at < excluded.checked_at AND s.user_id = excluded.user_id"""
_SET_PAST_DUE = """
UPDATE subscriptions SET past_due_since = %(since)s, right_until = %(right_until)s
 WHERE sub_id = %(sub_id)s AND (state = 'past_due') <= (%(since)s::timestamptz IS NOT NULL)
   AND past_due_since IS DISTINCT FROM %(since)s"""
_SET_STRAY = """
UPDATE subscriptions SET is_stray = true, state = 'gone', right_until = NULL
 WHERE user_id = %s AND id = %s AND NOT is_stray"""
# After a downgrade the extras of the former plan work for some days more, as after a cancellation.
_GRANT = """
INSERT INTO plan_grants (user_id, id, plan, until, reason)
VALUES (%s, %s, %s, %s, 'Changed to a smaller plan') ON CONFLICT DO NOTHING"""


@dataclass(frozen=True, slots=True)
class StoredSubscription:
    """A subscription as it is stored."""

    id: UUID
    sub_id: str
    plan: PlanSlug
    state: str
    period_start: datetime | None
    is_stray: bool
    created_at: datetime
    checked_at: datetime

    @property
    def is_current(self) -> bool:
        """Return whether it can confer a plan or be paid."""
        return self.state in ("incomplete", "active", "past_due")


def row_id(stripe_id: str) -> UUID:
    """Return the key of the row of an object at Stripe: the same whichever event comes first."""
    return uuid5(_IDS, stripe_id)


def right_until(state: str, past_due_since: datetime | None, period_end: datetime | None) -> datetime | None:
    """Return when a subscription stops conferring its plan; None if it renews, or confers none.

    A plan lasts GRACE longer: from the first failed charge, or else from the end of the paid period after a
    cancellation.
    """
    starts = {"past_due": past_due_since, "canceled": past_due_since or period_end}
    start = starts.get(state)
    return start + GRACE if start is not None else None


def own_subscriptions(conn: Connection, user_id: UUID) -> Sequence[StoredSubscription]:
    """Return and lock a user's subscriptions, the oldest first."""
    rows = fetch_all(conn, StoredSubscription, _OWN, [user_id])
    return [replace(row, plan=PlanSlug(row.plan)) for row in rows]


def save_subscription(conn: Connection, values: dict[str, Any]) -> bool:
    """Insert or update a subscription. Return False if a newer state is stored."""
    until = right_until(values["state"], values["past_due_since"], values["period_end"])
    return conn.execute(_SAVE, {**values, "id": row_id(values["sub_id"]), "right_until": until}).rowcount == 1


def save_past_due(conn: Connection, sub_id: str, since: datetime | None, until: datetime | None) -> None:
    """Store since when a subscription is unpaid, and until when it confers its plan (`right_until`)."""
    conn.execute(_SET_PAST_DUE, {"sub_id": sub_id, "since": since, "right_until": until})


def mark_stray(conn: Connection, user_id: UUID, subscription_id: UUID) -> bool:
    """Let a subscription confer nothing: the user has another one. Return False if it was marked before."""
    return conn.execute(_SET_STRAY, [user_id, subscription_id]).rowcount == 1


def grant_grace(conn: Connection, user_id: UUID, sub_id: str, plan: PlanSlug, ended_at: datetime) -> None:
    """Grant a plan for the days of grace after a downgrade, once for each."""
    conn.execute(_GRANT, [user_id, row_id(f"{sub_id} {plan} {ended_at.timestamp():.0f}"), plan, ended_at + GRACE])
