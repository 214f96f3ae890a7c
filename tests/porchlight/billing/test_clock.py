"""Fourteen months of a plan by the clock of the fake Stripe: upgrades, failures, recovery."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg

from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS, TABLES, Buyer, PlanShop

HOURS_TO_FINALIZE = 2 / 24  # a renewal's invoice is charged an hour after the period ends
KEPT = {"subscriptions", "plan_invoices", "plan_checkouts", "plan_changes", "ledger_transfers"} & set(TABLES)


class _Months:
    """Moves the clock month by month, and checks after each step that nothing was deleted."""

    def __init__(self, shop: PlanShop, buyer: Buyer) -> None:
        self.shop = shop
        self.buyer = buyer
        self.counts: dict[str, int] = {}

    async def renew(self) -> dict[str, Any]:
        """Go two hours past the end of the period, and return the subscription."""
        end = self.shop.subscription(self.buyer)["period_end"]
        await self.advance((end.timestamp() - self.now()) / 86_400 + HOURS_TO_FINALIZE)
        return self.shop.subscription(self.buyer)

    async def advance(self, days: float) -> dict[str, Any]:
        """Go some days on, and return the subscription."""
        self.shop.advance(days)
        await self.shop.settle()
        self.check()
        return self.shop.subscription(self.buyer)

    def now(self) -> float:
        """Return the time at the fake Stripe."""
        return float(self.shop.control("clock", advance_s=0)["now"])

    def check(self) -> None:
        """Fail if a table has fewer rows than before."""
        for table in KEPT:
            (row,) = self.shop.rows(f"SELECT count(*) AS count FROM {table}")
            assert row["count"] >= self.counts.get(table, 0), table
            self.counts[table] = row["count"]

    async def replace_card(self, number: str) -> None:
        """Change the card in the portal."""
        portal = await self.buyer.send("POST", "/portal", json={})
        assert self.shop.pay(f"{portal.json()['data']['url']}/card", number).status_code == 303
        await self.shop.settle()


async def test_fourteen_months_of_a_plan(shop: PlanShop, ada: Buyer) -> None:
    months = _Months(shop, ada)
    started = months.now()
    await shop.buy(ada, "skill-sharer")
    for _month in range(2):
        assert (await months.renew())["state"] == "active"
    await shop.change(ada, "premium-angel")
    assert shop.subscription(ada)["plan"] == "premium-angel"
    assert (await months.renew())["plan"] == "premium-angel"

    # The card fails, is replaced, and the next try succeeds.
    await months.replace_card(FAILS_LATER)
    failed = await months.renew()
    assert (failed["state"], failed["past_due_since"]) == ("past_due", failed["period_start"])
    still = await months.advance(4)
    assert (still["state"], still["past_due_since"]) == ("past_due", failed["past_due_since"])
    await months.replace_card(PAYS)
    recovered = await months.advance(7)
    assert (recovered["state"], recovered["past_due_since"]) == ("active", None)

    # A smaller plan from the next month on, with a grace for the larger one.
    await shop.change(ada, "skill-sharer")
    smaller = await months.renew()
    assert (smaller["plan"], smaller["next_plan"]) == ("skill-sharer", None)
    (grant,) = shop.rows("SELECT plan, until FROM plan_grants WHERE user_id = %s", ada.user_id)
    assert (grant["plan"], (grant["until"] - smaller["period_start"]).days) == ("premium-angel", 14)

    # A cancellation that is taken back, and a month later one that is not.
    await shop.change(ada, "community")
    await shop.change(ada, "skill-sharer")
    assert (await months.renew())["state"] == "active"
    await shop.change(ada, "community")
    assert (await months.renew())["state"] == "canceled"

    # The months passed at the fake only: there, the grace has ended long ago.
    with psycopg.connect(shop.database.service_url) as conn:
        conn.execute("DELETE FROM plan_grants WHERE user_id = %s", [ada.user_id])

    # A yearly plan after that; its renewal fails for good.
    await shop.buy(ada, "skill-sharer", "year")
    (_old, yearly) = _subscriptions(shop, ada)
    assert (yearly["state"], yearly["interval"]) == ("active", "year")
    await months_of_year(shop, months, yearly["period_end"])
    (_old, ended) = _subscriptions(shop, ada)
    assert ended["state"] == "canceled"
    assert ended["past_due_since"] == ended["period_start"]
    assert months.now() - started > 14 * 30 * 86_400

    # Every cent that the fake took is in the ledger.
    charged = sum(charge["amount"] for charge in shop.objects("charge") if charge["paid"])
    (posted,) = shop.rows("SELECT sum(amount) AS cents FROM ledger_transfers WHERE event = 'plan_paid'")
    assert posted["cents"] == charged
    (fees,) = shop.rows("SELECT sum(amount) AS cents FROM ledger_transfers WHERE event = 'processing_fee'")
    assert fees["cents"] == sum(line["fee"] for line in shop.objects("balance_transaction"))
    states = {invoice["state"] for invoice in shop.rows("SELECT state FROM plan_invoices")}
    assert states == {"paid", "open"}


async def months_of_year(shop: PlanShop, months: _Months, end: datetime) -> None:
    """Let a year pass whose renewal is declined until Stripe gives up."""
    await months.replace_card(FAILS_LATER)
    shop.advance((end.timestamp() - months.now()) / 86_400 + HOURS_TO_FINALIZE)
    await shop.settle()
    (_old, failed) = _subscriptions(shop, months.buyer)
    assert failed["state"] == "past_due"
    shop.advance(30)
    await shop.settle()
    months.check()


def _subscriptions(shop: PlanShop, buyer: Buyer) -> list[dict[str, Any]]:
    return shop.rows("SELECT * FROM subscriptions WHERE user_id = %s ORDER BY created_at", buyer.user_id)
