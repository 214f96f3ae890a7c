"""Events of a subscription in every order, repeated and in parallel: the stored rows are the same."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.payment_ports import Write
from porchlight.registry import FEATURES
from porchlight.settlement.inbox import fetch_object
from porchlight.settlement.jobs import Settlement
from porchlight.settlement.rules import ObjectRule, Source, load_rules
from tenants.kit import clock
from tests.porchlight.billing.plan_shop import DAY, Buyer, PlanShop

RULES = load_rules(FEATURES)
STORED = (
    "SELECT sub_id, plan, interval, state, period_start, period_end, cancel_at_end, next_plan, past_due_since,"
    " is_stray, card_last4 FROM subscriptions ORDER BY sub_id",
    "SELECT in_id, sub_id, number, state, total_cents, paid_cents, failed, payment_intent FROM plan_invoices"
    " ORDER BY in_id",
    "SELECT x.event, x.subject_id, x.stripe_object, t.debit_kind, t.credit_kind, t.amount FROM ledger_transactions x"
    " JOIN ledger_transfers t ON t.transaction_id = x.id ORDER BY x.event, x.subject_id",
    "SELECT kind, subject_id, method, path, params - 'metadata' FROM stripe_outbox WHERE kind IN"
    " ('plan_cancel', 'plan_refund') ORDER BY kind, subject_id",
    "SELECT user_id, plan, until FROM plan_grants ORDER BY user_id, until",
)
Fetched = tuple[ObjectRule, str, Any]


async def _scenario(shop: PlanShop, buyer: Buyer) -> list[dict[str, Any]]:
    """Let a plan's renewal fail while a second, stray subscription is paid. Return the five events that matter."""
    url = await shop.checkout(buyer, "premium-angel")
    shop.new_events()
    assert shop.pay(url).status_code == 303
    (customer,) = shop.rows("SELECT customer_id FROM billing_customers WHERE user_id = %s", buyer.user_id)
    customer_id = customer["customer_id"]
    (price,) = shop.objects("price", lookup_key="skill-sharer-month")
    shop.control("clock", advance_s=60)
    shop.v1("POST", "subscriptions", customer=customer_id, **{"items[0][price]": price["id"]})
    (first, second) = shop.objects("subscription", customer=customer_id)
    method = shop.v1("POST", "payment_methods/pm_card_chargeCustomerFail/attach", customer=customer_id)
    shop.v1("POST", f"subscriptions/{first['id']}", default_payment_method=method["id"])
    shop.control("clock", advance_s=31 * DAY + 2 * 3600)
    events = shop.new_events()

    def find(kind: str, **fields: str) -> dict[str, Any]:
        return next(
            event for event in events
            if event["type"] == kind and all(_of(event, name) == value for name, value in fields.items())
        )  # fmt: skip

    return [
        find("customer.subscription.created", id=first["id"]),
        find("customer.subscription.created", id=second["id"]),
        find("invoice.paid", subscription=second["id"]),
        find("charge.succeeded", customer=customer_id),
        find("invoice.payment_failed", subscription=first["id"]),
    ]


def _of(event: dict[str, Any], name: str) -> Any:
    found = event["data"]["object"]
    return found["parent"]["subscription_details"]["subscription"] if name == "subscription" else found[name]


def _digest(conn: psycopg.Connection[Any]) -> str:
    rows = [conn.execute(query.encode()).fetchall() for query in STORED]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def _apply(conn: psycopg.Connection[Any], fetched: Sequence[Fetched]) -> str:
    """Apply objects in this order and return the digest. Nothing is kept."""
    started = clock.now()
    try:
        for number, (rule, object_id, body) in enumerate(fetched):
            at = started + timedelta(milliseconds=number)
            rule.apply(conn, object_id, body, Source("", at, f"evt_{number}", False))
        return _digest(conn)
    finally:
        conn.rollback()


@pytest.mark.parametrize("copies", [2, *(pytest.param(copies, marks=pytest.mark.sweep) for copies in (1, 3))])
async def test_every_order_stores_the_same_rows(shop: PlanShop, ada: Buyer, copies: int) -> None:
    events = await _scenario(shop, ada)
    fetched: list[Fetched] = []
    for event in events:
        found = RULES.object_rule(event)
        assert found is not None
        fetched.append((*found, await fetch_object(shop.stripe, *found, "")))
    shuffle = random.Random(copies)
    digests = set()
    orders = 0
    with psycopg.connect(shop.database.service_url) as conn:
        for order in itertools.permutations(range(len(fetched))):
            repeated = list(order)
            for number in order * (copies - 1):
                repeated.insert(shuffle.randint(repeated.index(number) + 1, len(repeated)), number)
            digests.add(_apply(conn, [fetched[number] for number in repeated]))
            orders += 1
    assert (orders, len(digests)) == (120, 1)


async def test_older_state_never_replaces_a_newer_one(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    sub_id = shop.subscription(ada)["sub_id"]
    rule = next(rule for rule in RULES.objects if "customer.subscription.updated" in rule.events)
    before = await fetch_object(shop.stripe, rule, sub_id, "")
    asked_at = clock.now()
    await shop.change(ada, "premium-angel")
    with psycopg.connect(shop.database.service_url) as conn:
        rule.apply(conn, sub_id, before, Source("", asked_at, "", False))
    assert shop.subscription(ada)["plan"] == "premium-angel"


class _FetchingMeanwhile:
    """Stripe's API with a job that fetches the subscription when a write begins."""

    def __init__(self, shop: PlanShop, sub_id: str) -> None:
        self._shop, self._sub_id = shop, sub_id

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shop.stripe, name)

    async def send(self, write: Write) -> Any:
        """Send a write after a state from before it was stored."""
        rule = next(rule for rule in RULES.objects if "customer.subscription.updated" in rule.events)
        fetched_at = clock.now()
        fetched = await fetch_object(self._shop.stripe, rule, self._sub_id, "")
        with psycopg.connect(self._shop.database.service_url) as conn:
            rule.apply(conn, self._sub_id, fetched, Source("", fetched_at, "", False))
        return await self._shop.stripe.send(write)


async def test_change_shows_despite_a_fetch_during_its_write(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    sub_id = shop.subscription(ada)["sub_id"]
    shop.settlement = Settlement(shop.database.service_url, _FetchingMeanwhile(shop, sub_id), RULES)
    body = {"plan": "community", "interval": "month"}
    response = await shop.during(ada.send("POST", "/change", json=body))
    assert response.json()["data"]["state"] == "done"
    assert shop.subscription(ada)["cancel_at_end"] is True  # before any event arrives


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in (2, 3))])
async def test_parallel_workers_and_a_killed_one_agree(shop: PlanShop, ada: Buyer, seed: int) -> None:
    events = await _scenario(shop, ada)
    shuffle = random.Random(seed)
    for event in shuffle.sample(events * 3, 15):
        await shop.deliver(event)
    ids = [event["id"] for event in events]
    jobs = shuffle.sample(ids * 2, 10)
    killed = asyncio.create_task(shop.settlement.process_event(jobs[0]))
    await asyncio.sleep(0)
    killed.cancel()
    await asyncio.gather(killed, return_exceptions=True)

    async def work(queue: list[str]) -> None:
        for event_id in queue:
            await shop.settlement.process_event(event_id)

    await asyncio.gather(*(work(jobs[number::4]) for number in range(4)))
    await shop.process()
    await shop.settle()
    own = shop.rows(
        "SELECT plan, state, is_stray, past_due_since = period_start AS is_since_renewal FROM subscriptions"
        " WHERE user_id = %s ORDER BY created_at, plan", ada.user_id,
    )  # fmt: skip
    assert [tuple(row.values()) for row in own] == [
        ("premium-angel", "past_due", False, True), ("skill-sharer", "gone", True, None),
    ]  # fmt: skip
    writes = shop.rows(
        "SELECT kind, state FROM stripe_outbox WHERE kind IN ('plan_cancel', 'plan_refund') AND created_at > %s"
        " ORDER BY kind", clock.now() - timedelta(minutes=5),
    )  # fmt: skip
    assert [row["state"] for row in writes] == ["done"] * len(writes)
    refunded = shop.rows("SELECT sum(amount) AS cents FROM ledger_transfers WHERE event = 'plan_refunded'")
    paid_back = sum(refund["amount"] for refund in shop.objects("refund"))
    assert refunded[0]["cents"] == paid_back
