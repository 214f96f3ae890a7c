"""Changing, canceling and keeping a plan at the fake Stripe."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS, Buyer, PlanShop

MONTH = 31
_INVOICES_OF_ONE_SECOND = """
INSERT INTO plan_invoices (user_id, id, in_id, sub_id, number, state, total_cents, paid_cents, failed, payment_intent,
                           payment_url, issued_at, checked_at)
SELECT user_id, gen_random_uuid(), 'in_' || n, sub_id, 'ADA-' || n, state, 0, 0, false, '', '', t, t
  FROM plan_invoices, generate_series(9995, 10004) n, date_trunc('second', app.now() + interval '1 hour') t
 WHERE user_id = %s"""


async def _preview(shop: PlanShop, buyer: Buyer, plan: str, interval: str = "month") -> dict[str, Any]:
    response = await shop.during(buyer.send("GET", "/change", params={"plan": plan, "interval": interval}))
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["data"]
    return found


async def _replace_card(shop: PlanShop, buyer: Buyer, number: str) -> None:
    portal = await buyer.send("POST", "/portal", json={})
    assert shop.pay(f"{portal.json()['data']['url']}/card", number).status_code == 303
    await shop.settle()


def _code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


async def test_upgrade_charges_what_its_preview_said(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    preview = await _preview(shop, ada, "premium-angel")
    assert (preview["kind"], preview["effectiveAt"]) == ("upgrade", None)
    assert 990 <= preview["dueNowCents"] <= 1000
    body = {"plan": "premium-angel", "interval": "month", "proratedAt": preview["proratedAt"]}
    response = await shop.during(ada.send("POST", "/change", json=body))
    assert response.json()["data"] == {"state": "done", "paymentUrl": None}
    assert shop.plan(ada) == "premium-angel"  # before any event arrives
    await shop.settle()
    billing = await ada.billing()
    assert billing["subscription"]["nextCharge"]["cents"] == 1900
    assert billing["invoices"][0]["totalCents"] == preview["dueNowCents"]
    assert preview["nextCharge"] == billing["subscription"]["nextCharge"]


async def test_invoices_of_one_second_are_sorted_by_number(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    with psycopg.connect(shop.database.service_url) as conn:
        conn.execute(_INVOICES_OF_ONE_SECOND, [ada.user_id])
    numbers = [invoice["number"] for invoice in (await ada.billing())["invoices"]]
    assert numbers[:-1] == [f"ADA-{n}" for n in reversed(range(9995, 10005))]


async def test_yearly_upgrade_starts_a_new_year(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    preview = await _preview(shop, ada, "skill-sharer", "year")
    assert preview["kind"] == "upgrade"
    assert 8090 <= preview["dueNowCents"] <= 8110
    await shop.change(ada, "skill-sharer", "year")
    subscription = (await ada.billing())["subscription"]
    assert subscription["interval"] == "year"
    assert preview["nextCharge"]["at"][:10] == subscription["nextCharge"]["at"][:10]


async def test_upgrade_confers_no_plan_before_payment(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    await _replace_card(shop, ada, FAILS_LATER)
    response = await shop.change(ada, "premium-angel")
    result = response.json()["data"]
    assert result["state"] == "unpaid"
    assert shop.plan(ada) == "skill-sharer"
    billing = await ada.billing()
    assert (billing["subscription"]["state"], billing["subscription"]["graceUntil"]) == ("active", None)
    assert billing["change"]["paymentUrl"] == result["paymentUrl"]
    assert shop.pay(result["paymentUrl"], PAYS).status_code == 303
    await shop.settle()
    assert shop.plan(ada) == "premium-angel"
    assert (await ada.billing())["change"] is None


async def test_downgrade_waits_and_leaves_a_grace(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "premium-angel")
    end = (await ada.billing())["subscription"]["periodEnd"]
    preview = await _preview(shop, ada, "skill-sharer")
    grace = datetime.fromisoformat(end) + timedelta(days=14)
    assert (preview["kind"], preview["effectiveAt"], preview["dueNowCents"]) == ("downgrade", end, None)
    assert (preview["nextCharge"], datetime.fromisoformat(preview["graceUntil"])) == ({"cents": 900, "at": end}, grace)
    response = await shop.change(ada, "skill-sharer")
    assert response.json()["data"]["state"] == "done"
    planned = (await ada.billing())["subscription"]
    assert (planned["plan"], planned["nextPlan"], planned["nextInterval"]) == ("premium-angel", "skill-sharer", "month")
    assert planned["nextCharge"] == {"cents": 900, "at": end}
    shop.advance(MONTH + 1)
    await shop.settle()
    changed = (await ada.billing())["subscription"]
    assert (changed["plan"], changed["nextPlan"], changed["state"]) == ("skill-sharer", None, "active")
    (grant,) = shop.rows("SELECT plan, until FROM plan_grants WHERE user_id = %s", ada.user_id)
    assert (grant["plan"], grant["until"]) == ("premium-angel", grace)
    await shop.settle()
    # A new change first leaves the schedule, which lasts one more period.
    assert (await shop.change(ada, "premium-angel", "year")).json()["data"]["state"] == "done"
    assert (await ada.billing())["subscription"]["interval"] == "year"


async def test_downgrade_is_taken_back(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "premium-angel", "year")
    assert (await shop.change(ada, "premium-angel", "month")).json()["data"]["state"] == "done"
    assert (await ada.billing())["subscription"]["nextInterval"] == "month"
    assert _code(await ada.send("GET", "/change", params={"plan": "community", "interval": "month"})) == (
        409, "change_pending",
    )  # fmt: skip
    assert (await _preview(shop, ada, "premium-angel", "year"))["kind"] == "keep"
    assert (await shop.change(ada, "premium-angel", "year")).json()["data"]["state"] == "done"
    kept = (await ada.billing())["subscription"]
    assert (kept["nextPlan"], kept["nextInterval"], kept["cancelAtEnd"]) == (None, None, False)


async def test_cancellation_is_taken_back_or_ends_the_plan(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    preview = await _preview(shop, ada, "community")
    assert (preview["kind"], preview["nextCharge"]) == ("cancel", None)
    await shop.change(ada, "community")
    canceled = (await ada.billing())["subscription"]
    assert (canceled["cancelAtEnd"], canceled["nextCharge"]) == (True, None)
    assert canceled["graceUntil"] == preview["graceUntil"]
    await shop.change(ada, "skill-sharer")
    assert (await ada.billing())["subscription"]["cancelAtEnd"] is False
    await shop.change(ada, "community")
    shop.advance(MONTH + 1)
    await shop.settle()
    assert (await ada.billing())["subscription"]["state"] == "canceled"
    assert shop.plan(ada) == "skill-sharer"  # the extras work for 14 days more
    await shop.buy(ada, "premium-angel")
    assert shop.plan(ada) == "premium-angel"


async def test_refusals_name_the_reason(shop: PlanShop, ada: Buyer) -> None:
    wanted = {"plan": "premium-angel", "interval": "month"}
    assert _code(await ada.send("POST", "/change", json=wanted)) == (409, "no_subscription")
    await shop.buy(ada, "skill-sharer")
    assert _code(await ada.send("POST", "/change", json={"plan": "skill-sharer", "interval": "month"})) == (
        409, "no_change",
    )  # fmt: skip
    await _replace_card(shop, ada, FAILS_LATER)
    shop.advance(MONTH + 1)
    await shop.settle()
    assert _code(await ada.send("POST", "/change", json=wanted)) == (409, "payment_failed")
    response = await ada.send("POST", "/checkout", json=wanted)
    assert _code(response) == (409, "already_subscribed")


async def test_changes_at_once_are_one_change(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    body = {"plan": "premium-angel", "interval": "month"}
    first = shop.during(ada.send("POST", "/change", json=body))
    second = shop.during(ada.send("POST", "/change", json=body))

    responses = await asyncio.gather(first, second)
    assert sorted(response.status_code for response in responses) == [200, 409]
    await shop.settle()
    assert [invoice["totalCents"] > 0 for invoice in (await ada.billing())["invoices"]] == [True, True]


async def test_failed_payment_is_reminded_and_recovers(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    await _replace_card(shop, ada, FAILS_LATER)
    shop.advance(MONTH + 0.5)
    await shop.settle()
    failed = (await ada.billing())["subscription"]
    assert failed["state"] == "past_due"
    since = datetime.fromisoformat(failed["paymentFailedAt"])
    assert datetime.fromisoformat(failed["graceUntil"]) == since + timedelta(days=14)
    assert shop.plan(ada) == "skill-sharer"
    await _replace_card(shop, ada, PAYS)
    shop.advance(8)
    await shop.settle()
    recovered = (await ada.billing())["subscription"]
    assert (recovered["state"], recovered["paymentFailedAt"], recovered["graceUntil"]) == ("active", None, None)


async def test_ledger_and_tables_are_closed_to_requests(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    writes = [
        "UPDATE subscriptions SET plan = 'premium-angel'",
        "INSERT INTO plan_grants (user_id, plan, until, reason) SELECT app.user_id(), 'premium-angel', app.now(), ''",
        "UPDATE billing_customers SET customer_id = 'cus_other'",
        "UPDATE plan_invoices SET state = 'paid'",
        "DELETE FROM plan_checkouts",
        "SELECT FROM billing_catalog",
        "SELECT app.send_plan_change(uuidv7(), true)",
        "SELECT app.send_plan_checkout(uuidv7())",
    ]
    for statement in writes:
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ada.user_id)])
            try:
                conn.execute(statement.encode())
            except psycopg.errors.InsufficientPrivilege:
                continue
        raise AssertionError(f"a request may: {statement}")
