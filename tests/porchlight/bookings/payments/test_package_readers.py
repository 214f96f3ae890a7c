"""Pages, lists and documents about packages that were bought, from the order to the dispute."""

from __future__ import annotations

import csv
import io
from typing import Any
from uuid import UUID

import psycopg

from porchlight.features.money.card_payments import admin_queries as card_payments
from porchlight.features.money.overview.admin_queries import overview
from tenants.db.pool import Database as Pool
from tenants.kit import clock
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import execute
from tests.porchlight.bookings.payments.package_buyers import buy
from tests.porchlight.bookings.payments.package_shop import finish_sessions, use
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_receipts import text_of
from tests.porchlight.bookings.payments.test_session_disputes import WORDS, dispute, shown
from tests.porchlight.owner import GuruOwner

TITLE = "Monthly Mentorship: 4 sessions of "


async def used_once(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> dict[str, Any]:
    """Buy a package, one of whose sessions took place and is earned."""
    bought = await buy(shop, card_guru, buyer)
    await use(shop, buyer, card_guru, bought["id"])
    await finish_sessions(shop, card_guru)
    return bought


async def take_back(shop: SessionShop, card_guru: GuruOwner, bought: dict[str, Any], sessions: int, left: int) -> None:
    """Take sessions back as the guru, and let the refund arrive."""
    back = {"sessions": sessions, "left": left, "reason": "We agreed."}
    await card_guru.call("POST", f"/package-grants/{bought['id']}/withdrawal", back)
    await shop.settle()


async def test_package_is_one_order_with_its_refunds(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await used_once(shop, card_guru, buyer)
    await take_back(shop, card_guru, bought, 1, 3)
    (order,) = (await buyer.get("/api/orders"))["orders"]  # no order for each session
    assert (order["purpose"], order["id"], order["grantId"]) == ("package", bought["paymentId"], bought["id"])
    assert (order["bookingId"], order["canTip"], order["amountCents"]) == (None, False, 20_000)
    assert order["serviceName"].startswith(TITLE)
    assert (order["refundedCents"], [one["reason"] for one in order["refunds"]]) == (5000, ["taken_back"])


async def test_receipt_of_a_package_names_it(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await used_once(shop, card_guru, buyer)
    await take_back(shop, card_guru, bought, 1, 3)
    path = "/api/orders/{}/receipt.pdf"
    text = text_of((await buyer.request("GET", path.format(bought["paymentId"]))).content)
    for words in (TITLE, "Ada Neighbor", "$200.00", "-$50.00", "$150.00", "Visa ending in"):
        assert words in text
    (share,) = shop.rows(
        "SELECT id FROM payments WHERE purpose = 'package_session' AND tenant_id = %s", card_guru.guru.id
    )
    for name in ("receipt.pdf", "invoices"):
        assert (await buyer.request("GET", f"/api/orders/{share['id']}/{name}")).status_code == 404


async def test_invoice_of_a_package_has_no_session(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await used_once(shop, card_guru, buyer)
    path, company = f"/api/orders/{bought['paymentId']}/invoices", {"name": "Acme Inc.", "address": "1 Main St"}
    body = company | {"taxId": ""}
    assert (await buyer.request("POST", path, json=body)).status_code == 201
    (issued,) = shop.rows("SELECT * FROM invoices WHERE payment_id = %s", UUID(bought["paymentId"]))
    assert (issued["session_on"], issued["amount_cents"]) == (None, 20_000)
    assert issued["service_name"].startswith(TITLE)
    text = text_of((await buyer.request("GET", f"/api/invoices/{issued['id']}/invoice.pdf")).content)
    assert "Paid on " in text
    assert "Session on" not in text
    await take_back(shop, card_guru, bought, 1, 3)
    assert (await buyer.request("POST", path, json=body)).status_code == 201  # a correction
    kinds = [one["kind"] for one in shop.rows(
        "SELECT kind FROM invoices WHERE payment_id = %s ORDER BY number", UUID(bought["paymentId"])
    )]  # fmt: skip
    assert kinds[0] == "invoice"
    assert "credit_note" in kinds


async def test_year_statement_counts_used_and_ended(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await used_once(shop, card_guru, buyer)
    year = clock.now().year
    total = (await card_guru.call("GET", f"/year-statement?year={year}"))["total"]
    assert (total["paid"], total["fees"]) == (5000, -500)
    change = "UPDATE package_grants SET expires_at = app.now() - interval '2 days' WHERE id = %s"
    execute(shop.database, change, bought["id"])
    await shop.deliver_due()
    total = (await card_guru.call("GET", f"/year-statement?year={year}"))["total"]
    assert (total["paid"], total["fees"], total["earned"]) == (20_000, -2000, 18_000)
    response = await card_guru.web.get(f"/api/guru/year-statement.csv?year={year}")
    rows = [row[1:6] for row in csv.reader(io.StringIO(response.text.lstrip("\ufeff")))][1:]
    (service,) = shop.rows("SELECT name FROM services WHERE id = %s", card_guru.guru.services[0])
    assert rows == [
        ["Session from a package", service["name"], "50.00", "5.00", "45.00"],
        ["Sessions left when a package ended", service["name"], "150.00", "15.00", "135.00"],
    ]


async def test_staff_see_a_package_and_its_shares(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await used_once(shop, card_guru, buyer)
    await take_back(shop, card_guru, bought, 1, 3)
    async with Pool(shop.database.service_url) as pool:
        page = await card_payments.payments(pool, state=None, search=bought["paymentId"], cursor=None)
        rows = {one.id: one for one in page.items}
        package = rows.pop(bought["paymentId"])
        ((share_id, share),) = rows.items()
        assert (package.service_name, package.booking_id, package.state) == (
            "Package: Monthly Mentorship", None, "partly_refunded",
        )  # fmt: skip
        assert (share.amount_cents, share.fee_cents, share.state) == (5000, 500, "paid")
        assert share.service_name.startswith("From a package: ")
        assert share.booking_id is not None
        whole = await card_payments.payment(pool, UUID(bought["paymentId"]), is_live=False)
        part = await card_payments.payment(pool, UUID(share_id), is_live=False)
    assert (whole.fee_kept_cents, whole.share_cents) == (0, 10_000)
    assert [one.event for one in whole.postings] == ["package_sold", "package_refunded"]
    assert (part.fee_kept_cents, part.share_cents, part.transferred_cents) == (500, 4500, 4500)
    assert [one.event for one in part.postings] == ["package_used", "transferred"]


async def test_overview_counts_what_packages_hold(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    async with Pool(shop.database.service_url) as pool:
        before = await overview(pool)
        bought = await buy(shop, card_guru, buyer)
        sold = await overview(pool)
        await use(shop, buyer, card_guru, bought["id"])
        await finish_sessions(shop, card_guru)
        used = await overview(pool)
        await take_back(shop, card_guru, bought, 3, 3)
        await shop.deliver_due()
        ended = await overview(pool)
    assert (sold.package_cents - before.package_cents, sold.fee_cents - before.fee_cents) == (20_000, 0)
    assert (used.package_cents - before.package_cents, used.fee_cents - before.fee_cents) == (15_000, 500)
    assert (ended.package_cents, ended.refunded_cents - before.refunded_cents) == (before.package_cents, 15_000)
    assert ended.waiting_transfers.count == before.waiting_transfers.count


async def test_open_package_keeps_both_accounts(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    assert card_guru.guru.owner is not None

    def open_money(user_id: UUID) -> Any:
        with psycopg.connect(shop.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user_id)])
            row = conn.execute("SELECT app.open_money()").fetchone()
        assert row is not None
        return row[0]

    assert [open_money(one) for one in (buyer.user_id, card_guru.guru.owner)] == ["package", "package"]
    for client in (buyer, card_guru.web):
        refused = await client.request("DELETE", "/api/auth/account")
        error = refused.json()["error"]
        assert (refused.status_code, error["code"]) == (409, "money_open")
        assert "A paid package has sessions left." in error["message"]
    await take_back(shop, card_guru, bought, 4, 4)
    await shop.deliver_due()
    assert [open_money(one) for one in (buyer.user_id, card_guru.guru.owner)] == [None, None]


async def test_dispute_of_an_unused_package_is_answered(
    shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser
) -> None:
    await buy(shop, card_guru, buyer)
    found = dispute(shop, card_guru)
    await shop.settle()
    now = await shown(card_guru)
    assert (now["serviceName"], now["personName"], now["bookingId"]) == ("Monthly Mentorship", "Ada Neighbor", None)
    facts = {one["label"]: one["value"] for one in now["facts"]}
    assert list(facts) == ["Package", "Bought", "Sessions", "Terms", "Receipt"]
    assert facts["Package"].startswith(TITLE)
    assert facts["Sessions"] == "0 of 4 used or booked, 4 left."
    assert "$200.00 paid" in facts["Receipt"]
    await do_jobs(shop.database)
    (email,) = shop.rows("SELECT subject, plain FROM dev_mailbox WHERE key LIKE %s", f"dispute-{now['id']}-%")
    for words in ("Package: Monthly Mentorship", "Bought by: Ada Neighbor", "what we know about the package"):
        assert words in email["plain"]
    await card_guru.call("POST", f"/disputes/{now['id']}/answer", WORDS)
    await shop.settle()
    evidence = shop.v1("GET", f"disputes/{found}")["evidence"]
    assert evidence["customer_name"] == "Ada Neighbor"
    assert evidence["product_description"].startswith("4 sessions of ")
    assert "not refunded" in evidence["refund_policy_disclosure"]
    assert WORDS["words"] in evidence["uncategorized_text"]


async def test_dispute_of_a_used_package_names_sessions(
    shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser
) -> None:
    bought = await used_once(shop, card_guru, buyer)
    await use(shop, buyer, card_guru, bought["id"])
    await take_back(shop, card_guru, bought, 1, 2)
    found = dispute(shop, card_guru, 0)
    await shop.settle()
    now = await shown(card_guru)
    facts = {one["label"]: one["value"] for one in now["facts"]}
    assert facts["Sessions"] == "2 of 4 used or booked, 1 taken back, 1 left."
    assert facts["Session 1"].endswith("The session took place.")
    assert facts["Session 2"].endswith("Neither side has canceled.")
    assert "$50.00 refunded" in facts["Receipt"]
    assert now["serviceName"] == "Monthly Mentorship"
    await card_guru.call("POST", f"/disputes/{now['id']}/answer", WORDS)
    await shop.settle()
    evidence = shop.v1("GET", f"disputes/{found}")["evidence"]
    assert evidence["service_date"].count("-") == 4  # two days
    assert "accepted these terms when they booked" in evidence["cancellation_policy_disclosure"]


async def test_deleted_guru_leaves_no_word_in_orders(shop: SessionShop, card_guru: GuruOwner, buyer: ApiUser) -> None:
    bought = await buy(shop, card_guru, buyer)
    await take_back(shop, card_guru, bought, 4, 4)
    await shop.deliver_due()
    response = await card_guru.web.request("DELETE", "/api/auth/account")
    assert response.status_code == 200, response.text
    (order,) = (await buyer.get("/api/orders"))["orders"]
    assert (order["serviceName"], order["guruName"], order["guruLabel"]) == ("A package", "A guru who has left", "")
    text = text_of((await buyer.request("GET", f"/api/orders/{order['id']}/receipt.pdf")).content)
    assert "A package" in text
    (paid,) = shop.rows("SELECT package FROM payments WHERE id = %s", UUID(bought["paymentId"]))
    assert paid["package"]["person_name"] == "Ada Neighbor"  # the buyer's account stays
    assert "Monthly" not in str(paid["package"])
