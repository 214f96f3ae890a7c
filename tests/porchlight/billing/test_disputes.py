"""Disputes of plans' charges at the fake Stripe: postings, the list of staff, and the books."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.admin.named_keys import add_key
from porchlight.settlement.reconcile.run import reconcile
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.billing.plan_shop import Buyer, PlanShop

WITHDRAWN = [
    ("dispute_fee", "losses", "processor_fees", 1500),
    ("dispute_opened", "subscription_revenue", "card_network", 900),
]
RETURNED = ("dispute_won", "card_network", "subscription_revenue", 900)


async def _charge(shop: PlanShop, buyer: Buyer) -> str:
    """Buy a plan and return its charge."""
    await shop.buy(buyer, "skill-sharer")
    (stored,) = shop.rows("SELECT customer_id FROM billing_customers WHERE user_id = %s", buyer.user_id)
    (charge,) = shop.objects("charge", customer=stored["customer_id"])
    return str(charge["id"])


def _postings(shop: PlanShop, dispute: str) -> list[tuple[Any, ...]]:
    query = (
        "SELECT t.event, t.debit_kind, t.credit_kind, t.amount FROM ledger_transfers t"
        " JOIN ledger_transactions x ON x.id = t.transaction_id WHERE x.stripe_object = %s ORDER BY 1"
    )
    return [tuple(row.values()) for row in shop.rows(query, dispute)]


class Staff:
    """A signed-in admin."""

    def __init__(self, shop: PlanShop, headers: dict[str, str]) -> None:
        self.shop = shop
        self.headers = headers

    async def get(self, path: str = "", **params: str) -> Any:
        """Return what a money page shows."""
        response = await self.shop.web.get(f"/api/admin/money{path}", params=params, headers=self.headers)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    async def dispute(self, dispute: str, state: str) -> list[dict[str, Any]]:
        """Return the rows of a dispute in the list of open or decided ones."""
        page = await self.get("/disputes", state=state)
        return [item for item in page["items"] if item["stripeId"] == dispute]


@pytest.fixture
async def staff(shop: PlanShop, database: Database) -> Staff:
    """An admin with a key of their own."""
    with psycopg.connect(database.service_url) as conn:
        key = add_key(conn, f"Maya {new_id()}")
    return Staff(shop, await sign_in_admin(shop.web, key))


@pytest.mark.parametrize(
    ("status", "after"), [("won", [*WITHDRAWN, RETURNED]), ("lost", WITHDRAWN)], ids=["won", "lost"]
)
async def test_dispute_is_posted_and_listed(
    shop: PlanShop, ada: Buyer, staff: Staff, status: str, after: list[tuple[Any, ...]]
) -> None:
    charge = await _charge(shop, ada)
    dispute = shop.control("disputes", charge=charge)["id"]
    await shop.settle()
    assert _postings(shop, dispute) == WITHDRAWN
    (found,) = await staff.dispute(dispute, "open")
    assert (found["person"], found["cents"], found["feeCents"], found["state"]) == (ada.email, 900, 1500, "open")
    assert found["dueBy"] > found["openedAt"]
    assert (await staff.get())["openDisputes"] >= 1
    shop.control("disputes", dispute=dispute, status=status)
    await shop.settle()
    assert _postings(shop, dispute) == after
    assert await staff.dispute(dispute, "open") == []
    (found,) = await staff.dispute(dispute, "decided")
    assert found["state"] == status
    # Every line of the dispute has its posting.
    report = await reconcile(shop.database.service_url, shop.stripe, [])
    assert [one for one in report.findings if one.stripe_id == dispute or one.kind == "balance_differs"] == []


async def test_inquiry_moves_no_money(shop: PlanShop, ada: Buyer, staff: Staff) -> None:
    dispute = shop.control("disputes", charge=await _charge(shop, ada), inquiry=True)["id"]
    await shop.settle()
    assert _postings(shop, dispute) == []
    (found,) = await staff.dispute(dispute, "open")
    assert (found["state"], found["feeCents"]) == ("inquiry", 0)
    shop.control("disputes", dispute=dispute, status="warning_closed")
    await shop.settle()
    (found,) = await staff.dispute(dispute, "decided")
    assert found["state"] == "closed"


async def test_dispute_events_in_reverse_post_once(shop: PlanShop, ada: Buyer) -> None:
    dispute = shop.control("disputes", charge=await _charge(shop, ada))["id"]
    shop.control("disputes", dispute=dispute, status="won")
    for event in [*reversed(shop.new_events())] * 2:
        await shop.deliver(event)
    await shop.process()
    assert _postings(shop, dispute) == [*WITHDRAWN, RETURNED]
    (stored,) = shop.rows("SELECT state FROM plan_disputes WHERE dp_id = %s", dispute)
    assert stored["state"] == "won"


async def test_dispute_without_events_is_fetched(shop: PlanShop, ada: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    dispute = shop.control("disputes", charge=await _charge(shop, ada))["id"]
    await shop.settle()
    shop.control("disputes", dispute=dispute, status="lost")
    shop.new_events()  # they are lost
    monkeypatch.setattr("porchlight.settlement.inbox.due_before", lambda now: now)
    await shop.settlement.fetch_open_objects()
    (stored,) = shop.rows("SELECT state FROM plan_disputes WHERE dp_id = %s", dispute)
    assert stored["state"] == "lost"


async def test_account_with_open_dispute_is_kept(shop: PlanShop, ada: Buyer) -> None:
    dispute = shop.control("disputes", charge=await _charge(shop, ada))["id"]
    await shop.settle()
    headers = {"authorization": f"Bearer {ada.token}"}
    refused = await ada.web.delete("/api/auth/account", headers=headers)
    assert (refused.status_code, refused.json()["error"]) == (
        409,
        {
            "code": "money_open",
            "message": "Your bank is looking at a payment of yours. You can delete your account once it has decided.",
        },
    )
    shop.control("disputes", dispute=dispute, status="lost")
    await shop.settle()
    assert (await ada.web.delete("/api/auth/account", headers=headers)).status_code == 200
