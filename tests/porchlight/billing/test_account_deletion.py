"""The end of a plan with its account, and the plan in the account's export."""

from __future__ import annotations

import io
import json
import zipfile

import psycopg

from porchlight.worker.maintenance import purge_expired
from tests.fixtures.databases import Database
from tests.porchlight.billing.plan_shop import Buyer, PlanShop


async def _delete(buyer: Buyer) -> tuple[int, str]:
    headers = {"authorization": f"Bearer {buyer.token}"}
    response = await buyer.web.delete("/api/auth/account", headers=headers)
    return response.status_code, response.json().get("error", {}).get("code", "")


async def test_deletion_ends_the_plan_at_stripe(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "premium-angel")
    invoices = len(shop.objects("invoice"))
    assert await _delete(ada) == (200, "")
    await shop.settle()
    stored = shop.subscription(ada)
    (at_stripe,) = shop.objects("subscription", id=stored["sub_id"])
    assert (at_stripe["status"], stored["state"], stored["card_last4"]) == ("canceled", "canceled", "")
    assert len(shop.objects("invoice")) == invoices
    # The row of the account stays as long as its amounts.
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        conn.execute("UPDATE users SET updated_at = app.now() - interval '60 days' WHERE user_id = %s", [ada.user_id])
        purge_expired(database.service_url)
        kept = conn.execute("SELECT email FROM users WHERE user_id = %s", [ada.user_id]).fetchone()
    assert kept == ("",)


async def test_deletion_waits_for_money_on_its_way(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    subscription_id = shop.subscription(ada)["id"]
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO plan_changes (user_id, id, subscription_id, kind, plan, interval)"
            " VALUES (%s, uuidv7(), %s, 'upgrade', 'premium-angel', 'month')", [ada.user_id, subscription_id],
        )  # fmt: skip
        assert await _delete(ada) == (409, "money_open")
        conn.execute("UPDATE plan_changes SET state = 'refused' WHERE user_id = %s", [ada.user_id])
    assert await _delete(ada) == (200, "")


async def test_deletion_closes_an_open_checkout(shop: PlanShop, ada: Buyer) -> None:
    url = await shop.checkout(ada, "skill-sharer")
    assert await _delete(ada) == (200, "")
    await shop.settle()
    assert shop.pay(url).status_code == 410


async def test_export_has_plan_and_invoices(shop: PlanShop, ada: Buyer, ben: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    await shop.buy(ben, "premium-angel")
    response = await ada.web.get("/api/auth/export", headers={"authorization": f"Bearer {ada.token}"})
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    (subscription,) = json.loads(archive.read("subscriptions.json"))
    assert subscription["plan"] == "skill-sharer"
    (invoice,) = json.loads(archive.read("plan_invoices.json"))
    assert invoice["total_cents"] == 900
    assert "plan_invoices.json" in archive.read("README.txt").decode()
