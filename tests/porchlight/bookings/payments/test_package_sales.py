"""Packages that people buy by card: paid, used, earned session by session, taken back, and ended."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from porchlight.features.bookings.payments import purchases
from porchlight.settlement.reconcile.run import reconcile
from tests.porchlight.bookings.api import CreateUser, code, execute
from tests.porchlight.bookings.packages import left_of
from tests.porchlight.bookings.payments.package_shop import (
    PRICE_CENTS,
    buy,
    finish_sessions,
    money,
    post_purchase,
    sell,
    use,
)
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.owner import GuruOwner


async def test_bought_package_is_earned_by_session(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Prepaid Pia"), await sell(card_guru)
    bought = await buy(shop, user, card_guru, package)
    assert (bought["state"], bought["priceCents"], bought["sessions"]) == ("paid", PRICE_CENTS, 4)
    assert money(shop, card_guru, user) == {"package_balance": PRICE_CENTS}
    (own,) = (await user.get("/api/packages"))["packages"]
    assert (own["id"], own["left"], own["paidCents"], own["isOpen"]) == (bought["grantId"], 4, PRICE_CENTS, True)
    await use(shop, user, card_guru, bought["grantId"], sessions=2)
    await shop.deliver_due()
    assert money(shop, card_guru, user) == {"package_balance": PRICE_CENTS}  # the sessions are ahead
    await finish_sessions(shop, card_guru)
    # Half of $200.01, less half of the fee of $20: each rounded down, so that the last session gets the cents.
    assert money(shop, card_guru, user) == {"package_balance": 100_01, "guru_stripe": 90_00}
    await use(shop, user, card_guru, bought["grantId"], sessions=2)
    await finish_sessions(shop, card_guru)
    assert money(shop, card_guru, user) == {"guru_stripe": 180_01}
    package_row, *sessions = shop.payments(card_guru.guru)
    assert (package_row["used_cents"], package_row["delivered_at"] is None) == (PRICE_CENTS, False)
    assert sum(one["amount_cents"] for one in sessions) == PRICE_CENTS
    assert sum(one["fee_cents"] for one in sessions) == 20_00
    assert {one["charge_id"] for one in sessions} == {package_row["charge_id"]}
    report = await reconcile(shop.database.service_url, shop.stripe, [])
    assert [one for one in report.findings if one.kind == "balance_differs"] == []


async def take_back(
    shop: SessionShop, card_guru: GuruOwner, grant_id: str, sessions: int, left: int, *, expect: int = 200
) -> dict[str, Any]:
    """Take unused sessions of a package back, and let the refund arrive."""
    body = {"sessions": sessions, "left": left, "reason": "I am moving away."}
    found: dict[str, Any] = await card_guru.call("POST", f"/package-grants/{grant_id}/withdrawal", body, expect=expect)
    await shop.settle()
    return found


async def test_taken_back_sessions_are_refunded(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Returned Rita"), await sell(card_guru)
    bought = await buy(shop, user, card_guru, package)
    await use(shop, user, card_guru, bought["grantId"])
    seen = await card_guru.call("GET", f"/package-grants/{bought['grantId']}")
    assert seen["refundCents"] == [50_00, 100_00, 150_00]
    assert (seen["unusedCents"], seen["events"][0]["event"]) == (PRICE_CENTS, "bought")
    await take_back(shop, card_guru, bought["grantId"], 2, 3)
    assert money(shop, card_guru, user) == {"package_balance": 100_01}
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["purpose"], order["grantId"], order["refundedCents"]) == ("package", bought["grantId"], 100_00)
    assert [(one["reason"], one["state"]) for one in order["refunds"]] == [("taken_back", "done")]
    assert await left_of(user) == [(1, 1, 2)]
    await take_back(shop, card_guru, bought["grantId"], 1, 1)
    await finish_sessions(shop, card_guru)
    assert money(shop, card_guru, user) == {"guru_stripe": 45_01}  # the last of four shares: $50.01 less $5
    (row,) = [one for one in shop.payments(card_guru.guru) if one["purpose"] == "package"]
    assert (row["refunded_cents"], row["used_cents"], row["delivered_at"] is None) == (150_00, 50_01, False)


async def test_package_that_ends_leaves_its_rest_to_guru(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Late Lou"), await sell(card_guru)
    bought = await buy(shop, user, card_guru, package)
    await use(shop, user, card_guru, bought["grantId"])
    execute(shop.database, "UPDATE package_grants SET expires_at = app.now() - interval '25 hours'")
    await shop.deliver_due()
    assert money(shop, card_guru, user) == {"package_balance": PRICE_CENTS}  # a session that it covers is ahead
    await finish_sessions(shop, card_guru)
    assert money(shop, card_guru, user) == {"guru_stripe": 180_01}
    events = shop.rows("SELECT event FROM ledger_transactions WHERE event LIKE 'package%%' ORDER BY event")
    assert {"package_expired", "package_sold", "package_used"} <= {one["event"] for one in events}
    seen = await card_guru.call("GET", f"/package-grants/{bought['grantId']}")
    assert (seen["unusedCents"], seen["refundCents"]) == (0, [0, 0, 0])
    await take_back(shop, card_guru, bought["grantId"], 3, 3)  # nothing goes back, because it was earned
    assert money(shop, card_guru, user) == {"guru_stripe": 180_01}


async def test_free_cancellation_keeps_the_share_unearned(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Careful Cas"), await sell(card_guru)
    bought = await buy(shop, user, card_guru, package)
    await use(shop, user, card_guru, bought["grantId"])
    (booked,) = (await user.get("/api/bookings"))["bookings"]
    await shop.cancel(user, booked)
    await finish_sessions(shop, card_guru)
    assert (await left_of(user), money(shop, card_guru, user)) == ([(4, 0, 0)], {"package_balance": PRICE_CENTS})


async def test_missed_session_earns_its_share(shop: SessionShop, new_owner: Any, create_user: CreateUser) -> None:
    owner: GuruOwner = await new_owner(missed_percent=100)
    shop.let_take_cards(owner.guru)
    await connect_account(shop, owner)
    user, package = await create_user("Missing Max"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    await use(shop, user, owner, bought["grantId"])
    (booked,) = (await user.get("/api/bookings"))["bookings"]
    shop.end_sessions(owner.guru, hours=1)
    await owner.call("POST", f"/bookings/{booked['id']}/attendance", {"missed": True})
    await finish_sessions(shop, owner)
    assert money(shop, owner, user) == {"package_balance": 150_01, "guru_stripe": 45_00}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"priceCents": 100_00}, "package_price_changed"),
        ({"name": ""}, "validation_failed"),
        ({"priceCents": 0}, "validation_failed"),
    ],
)
async def test_purchase_with_bad_input_is_refused(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser, changes: dict[str, Any], expected: str
) -> None:
    user, package = await create_user("Odd Oda"), await sell(card_guru)
    assert code(await post_purchase(shop, user, card_guru, package, **changes)) == expected
    assert shop.payments(card_guru.guru) == []


async def test_price_that_changed_while_paying_is_kept(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Quick Quin"), await sell(card_guru)
    begun = (await post_purchase(shop, user, card_guru, package)).json()["data"]
    changes = {"name": "Monthly", "sessions": 2, "days": 30, "priceCents": 900_00}
    await card_guru.call("PUT", f"/packages/{package['id']}", changes)
    shop.pay(begun["url"])
    await shop.settle()
    (own,) = (await user.get("/api/packages"))["packages"]
    assert (own["granted"], own["paidCents"]) == (4, PRICE_CENTS)


async def test_deleted_package_is_still_handed_over(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Slow Sol"), await sell(card_guru)
    begun = (await post_purchase(shop, user, card_guru, package)).json()["data"]
    await card_guru.call("DELETE", f"/packages/{package['id']}")
    shop.pay(begun["url"])
    await shop.settle()
    assert await left_of(user) == [(4, 0, 0)]


async def test_fifty_tabs_buy_one_package(shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser) -> None:
    user, package = await create_user("Many Mia"), await sell(card_guru)
    begun = await asyncio.gather(*(post_purchase(shop, user, card_guru, package) for _ in range(50)))
    assert {one.status_code for one in begun} == {201}
    assert len({one.json()["data"]["id"] for one in begun}) == 1
    shop.pay(begun[0].json()["data"]["url"])
    await shop.settle()
    assert await left_of(user) == [(4, 0, 0)]


async def test_guru_cannot_buy_own_package(shop: SessionShop, card_guru: GuruOwner) -> None:
    package = await sell(card_guru)
    headers = {"idempotency-key": "own"}
    path = f"/api/gurus/{card_guru.guru.label}/packages/{package['id']}/purchases"
    body = {"name": "Ada Neighbor", "priceCents": PRICE_CENTS}
    assert code(await card_guru.web.post(path, json=body, headers=headers)) == "own_package"


async def test_packages_are_sold_while_cards_are_taken(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Looking Lea"), await sell(card_guru)
    path = f"/api/gurus/{card_guru.guru.label}/packages"
    (shown,) = (await user.get(path))["packages"]
    assert (shown["id"], shown["priceCents"], shown["sessions"]) == (package["id"], PRICE_CENTS, 4)
    execute(
        shop.database, "UPDATE payout_accounts SET payouts_enabled = false WHERE user_id = %s", card_guru.guru.owner
    )
    assert code(await post_purchase(shop, user, card_guru, package)) == "cards_unavailable"


async def test_price_needs_a_plan_and_an_account(shop: SessionShop, new_owner: Any) -> None:
    poor: GuruOwner = await new_owner()
    body = {
        "serviceId": str(poor.guru.services[0]), "name": "Monthly", "sessions": 4, "days": 90, "priceCents": 50_00,
    }  # fmt: skip
    assert (await poor.call("POST", "/packages", body, expect=402))["code"] == "plan_required"
    shop.let_take_cards(poor.guru)
    refused = await poor.call("POST", "/packages", body, expect=422)
    assert "priceCents" in refused["fields"]
    assert (await poor.call("POST", "/packages", body | {"priceCents": 499}, expect=422))["code"] == "validation_failed"


async def test_earned_sessions_are_no_opened_pages(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A payment that a session takes from its package opens no page of Stripe."""
    user, package = await create_user("Busy Bea"), await sell(card_guru)
    bought = await buy(shop, user, card_guru, package)
    await use(shop, user, card_guru, bought["grantId"])
    execute(shop.database, "UPDATE payments SET created_at = created_at - interval '2 hours'")
    await finish_sessions(shop, card_guru)
    monkeypatch.setattr(purchases, "MAX_CHECKOUTS", 1)
    again = await post_purchase(shop, user, card_guru, package)
    assert again.json()["data"]["state"] == "open"
    refused = await post_purchase(shop, user, card_guru, await sell(card_guru))
    assert refused.json()["error"]["code"] == "too_many_checkouts"


async def test_package_that_changes_in_that_moment_is_refused(
    shop: SessionShop, card_guru: GuruOwner, create_user: CreateUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, package = await create_user("Unlucky Ulf"), await sell(card_guru)

    async def change(*_: Any) -> None:
        execute(shop.database, "UPDATE packages SET price_cents = 90000")

    monkeypatch.setattr(purchases, "require_checkouts_left", change)
    assert code(await post_purchase(shop, user, card_guru, package)) == "package_price_changed"
    assert shop.payments(card_guru.guru) == []
