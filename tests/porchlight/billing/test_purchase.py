"""Buying a plan at the fake Stripe, with the real SDK and signed events."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.fixtures.refusals import INVALID, invalid_fields, refusal
from tests.fixtures.timeouts import changed_timeouts
from tests.porchlight.billing.plan_shop import DECLINES, Buyer, PlanShop

SHARER = {"plan": "skill-sharer", "interval": "month"}


async def test_purchase_confers_the_plan_and_posts_it(shop: PlanShop, ada: Buyer) -> None:
    assert (await ada.billing())["plan"] == "community"
    back = await shop.buy(ada, "skill-sharer")
    assert back == "http://porchlight.localhost/pricing?checkout=success"
    billing = await ada.billing()
    assert (billing["plan"], billing["source"]) == ("skill-sharer", "subscription")
    subscription = billing["subscription"]
    assert (subscription["state"], subscription["interval"]) == ("active", "month")
    assert subscription["nextCharge"] == {"cents": 900, "at": subscription["periodEnd"]}
    assert subscription["card"] == {"brand": "visa", "last4": "4242"}
    assert [(invoice["totalCents"], invoice["state"]) for invoice in billing["invoices"]] == [(900, "paid")]
    (charge,) = shop.objects("charge", customer=_customer(shop, ada))
    legs = shop.rows(
        "SELECT t.event, t.debit_kind, t.credit_kind, t.amount FROM ledger_transfers t"
        " JOIN ledger_transactions x ON x.id = t.transaction_id WHERE x.stripe_object = %s ORDER BY t.event",
        charge["id"],
    )
    assert [tuple(leg.values()) for leg in legs] == [
        ("plan_paid", "card_network", "subscription_revenue", 900),
        ("processing_fee", "platform_fees", "processor_fees", 56),
    ]


async def test_declined_card_buys_nothing(shop: PlanShop, ada: Buyer) -> None:
    response = shop.pay(await shop.checkout(ada, "skill-sharer"), DECLINES)
    assert response.status_code == 402
    await shop.settle()
    billing = await ada.billing()
    assert (billing["plan"], billing["subscription"], billing["invoices"]) == ("community", None, [])


async def test_second_purchase_is_refused(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    for plan in ("skill-sharer", "premium-angel"):
        response = await ada.send("POST", "/checkout", json={"plan": plan, "interval": "month"})
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "already_subscribed"
    response = await ada.send("POST", "/pricing-table-session")
    assert response.status_code == 409


async def test_granted_plan_is_not_sold(shop: PlanShop, ada: Buyer) -> None:
    shop.rows(
        "INSERT INTO plan_grants (user_id, plan, until, reason)"
        " VALUES (%s, 'skill-sharer', app.now() + interval '1 year', 'test') RETURNING plan",
        ada.user_id,
    )
    response = await ada.send("POST", "/checkout", json=SHARER)
    assert refusal(response) == (409, "already_granted")
    assert "Skill Sharer without paying" in response.json()["error"]["message"]
    assert refusal(await ada.send("POST", "/pricing-table-session")) == (409, "already_granted")
    assert await shop.checkout(ada, "premium-angel")


async def test_two_tabs_at_once_get_one_checkout(shop: PlanShop, ada: Buyer) -> None:
    tabs = [shop.during(ada.send("POST", "/checkout", json=SHARER)) for _ in range(4)]
    responses = await asyncio.gather(*tabs)
    assert {response.status_code for response in responses} == {200}
    (url,) = {response.json()["data"]["url"] for response in responses}
    assert await shop.checkout(ada, "skill-sharer") == url
    assert len(shop.objects("checkout.session", client_reference_id=str(ada.user_id))) == 1


async def test_checkout_of_another_plan_ends_the_first(shop: PlanShop, ada: Buyer) -> None:
    first = await shop.checkout(ada, "skill-sharer")
    second = await shop.checkout(ada, "premium-angel")
    await shop.settle()
    assert shop.pay(first).status_code == 410
    assert shop.pay(second).status_code == 303
    await shop.settle()
    assert shop.plan(ada) == "premium-angel"
    assert len(shop.objects("subscription", customer=_customer(shop, ada))) == 1


async def test_stray_subscription_is_canceled_and_refunded(shop: PlanShop, ada: Buyer) -> None:
    await shop.buy(ada, "skill-sharer")
    customer = _customer(shop, ada)
    (price,) = shop.objects("price", lookup_key="premium-angel-month")
    shop.control("clock", advance_s=1)  # the older one stays
    second = shop.v1("POST", "subscriptions", customer=customer, **{"items[0][price]": price["id"]})
    await shop.settle()
    await shop.settle()
    assert [row["state"] for row in _subscriptions(shop, ada)] == ["active", "gone"]
    assert _subscriptions(shop, ada)[1]["sub_id"] == second["id"]
    (canceled,) = shop.objects("subscription", id=second["id"])
    assert canceled["status"] == "canceled"
    (refund,) = [one for one in shop.objects("refund") if one["amount"] == 1900]
    assert refund["reason"] == "duplicate"
    assert shop.plan(ada) == "skill-sharer"
    events = shop.rows(
        "SELECT event FROM ledger_transactions WHERE stripe_object IN (%s, %s) ORDER BY event",
        refund["id"], refund["charge"],
    )  # fmt: skip
    assert [row["event"] for row in events] == ["plan_paid", "plan_refunded", "processing_fee"]


async def test_subscription_of_unknown_customer_is_left_alone(shop: PlanShop, ada: Buyer) -> None:
    card = {"payment_method": "pm_card_visa", "invoice_settings[default_payment_method]": "pm_card_visa"}
    customer = shop.v1("POST", "customers", email=ada.email, **card)
    (price,) = shop.objects("price", lookup_key="premium-angel-month")
    shop.v1(
        "POST", "subscriptions", customer=customer["id"],
        **{"items[0][price]": price["id"], "metadata[user_id]": str(ada.user_id)},
    )  # fmt: skip
    await shop.settle()
    assert shop.plan(ada) == "community"


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "https://evil.example", "evil", "/\\evil.example", "/a b", "/a\u0000b", "/" + "x" * 500],
)
async def test_return_path_of_another_site_is_rejected(shop: PlanShop, ada: Buyer, path: str) -> None:
    response = await ada.send("POST", "/checkout", json=SHARER | {"returnTo": path})
    assert invalid_fields(response) == {"returnTo": "Use 500 characters or fewer." if len(path) > 500 else INVALID}


async def test_return_path_is_kept(shop: PlanShop, ada: Buyer) -> None:
    back = "/account/listings?kind=offer&checkout=canceled#top"
    response = shop.pay(await shop.checkout(ada, "skill-sharer", returnTo=back))
    assert response.headers["location"] == "http://porchlight.localhost/account/listings?kind=offer&checkout=success"


async def test_pricing_table_session_buys_for_its_user(shop: PlanShop, ada: Buyer) -> None:
    response = await shop.during(ada.send("POST", "/pricing-table-session"))
    assert response.status_code == 200, response.text
    session = response.json()["data"]
    assert session["clientReferenceId"] == str(ada.user_id)
    (price,) = shop.objects("price", lookup_key="skill-sharer-year")
    opened = httpx.get(
        f"{shop.fake.url}/pricing-table/checkout", trust_env=False, timeout=60,
        params={
            "price": price["id"], "customer_session": session["clientSecret"],
            "back": "http://porchlight.localhost/pricing",
        },
    )  # fmt: skip
    assert shop.pay(f"{opened.headers['location']}").status_code == 303
    await shop.settle()
    assert shop.subscription(ada)["interval"] == "year"


async def test_portal_and_invoice_lead_to_stripe(shop: PlanShop, ada: Buyer, ben: Buyer) -> None:
    response = await ada.send("POST", "/portal", json={})
    assert response.json()["error"]["code"] == "no_billing_account"
    await shop.buy(ada, "skill-sharer")
    response = await ada.send("POST", "/portal", json={"returnTo": "/account/plan"})
    page = httpx.get(response.json()["data"]["url"], trust_env=False, timeout=60).text
    assert "Cancel plan" not in page
    assert "http://porchlight.localhost/account/plan" in page
    invoice_id = (await ada.billing())["invoices"][0]["id"]
    response = await ada.send("GET", f"/invoices/{invoice_id}")
    pdf = httpx.get(response.json()["data"]["url"], trust_env=False, timeout=60)
    assert pdf.headers["content-type"] == "application/pdf"
    for wanted in (invoice_id, "none"):
        response = await ben.send("GET", f"/invoices/{wanted}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_users_see_only_their_own_plan(shop: PlanShop, ada: Buyer, ben: Buyer) -> None:
    await shop.buy(ada, "premium-angel", "year")
    billing = await ben.billing()
    assert (billing["plan"], billing["subscription"], billing["invoices"]) == ("community", None, [])
    assert _subscriptions(shop, ben) == []


async def test_stripe_away_continues_later(shop: PlanShop, ada: Buyer) -> None:
    with changed_timeouts(billing_response_seconds=0.2):
        response = await ada.send("POST", "/checkout", json=SHARER)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
    assert "retry-after" in response.headers
    await shop.checkout(ada, "skill-sharer")
    assert len(shop.objects("checkout.session", client_reference_id=str(ada.user_id))) == 1


async def test_site_without_keys_says_so(without_keys: httpx.AsyncClient, ada: Buyer) -> None:
    buyer = Buyer(without_keys, ada.user_id, ada.email, ada.token)
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/checkout", {"json": SHARER}),
        ("POST", "/portal", {"json": {}}),
        ("POST", "/pricing-table-session", {}),
        ("GET", "/change", {"params": SHARER}),
        ("POST", "/change", {"json": SHARER}),
        ("GET", "/invoices/none", {}),
    ]
    for method, path, options in requests:
        response = await buyer.send(method, path, **options)
        assert (response.status_code, response.json()["error"]) == (
            503, {"code": "payments_unavailable", "message": "Payments are not set up on this site yet."},
        )  # fmt: skip
    billing = await buyer.billing()
    assert (billing["paymentsAvailable"], billing["plan"]) == (False, "community")


def _customer(shop: PlanShop, buyer: Buyer) -> str:
    (row,) = shop.rows("SELECT customer_id FROM billing_customers WHERE user_id = %s", buyer.user_id)
    return str(row["customer_id"])


def _subscriptions(shop: PlanShop, buyer: Buyer) -> list[dict[str, object]]:
    return shop.rows("SELECT sub_id, state FROM subscriptions WHERE user_id = %s ORDER BY created_at", buyer.user_id)


async def test_hanging_pricing_table_session_is_said_in_time(shop: PlanShop, ada: Buyer) -> None:
    assert (await shop.during(ada.send("POST", "/pricing-table-session"))).status_code == 200
    shop.control("faults", match="POST /v1/customer_sessions", do="hang:3")
    with changed_timeouts(billing_response_seconds=0.5):
        response = await ada.send("POST", "/pricing-table-session")
    assert (response.status_code, response.json()["error"]["code"]) == (503, "payments_away")
