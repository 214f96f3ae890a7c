"""The money of a package when things happen at once, twice, or against it: events, jobs and banks."""

from __future__ import annotations

import asyncio

import pytest

from porchlight.features.bookings.deadlines import complete_bookings
from porchlight.features.bookings.payments.jobs import deliver_payments
from tests.porchlight.bookings.api import CreateUser, code, execute, free_starts, hold, post_booking
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
from tests.porchlight.bookings.payments.test_failed_payments import send_again, staff
from tests.porchlight.bookings.payments.test_session_disputes import assert_books_match, dispute, postings, shown
from tests.porchlight.owner import GuruOwner

__all__ = ["staff"]
FEE = ("dispute_fee", "losses", "processor_fees", 1500)


async def test_events_in_any_order_hand_over_once(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    user, package = await create_user("Twice Tom"), await sell(owner)
    begun = (await post_purchase(shop, user, owner, package)).json()["data"]
    shop.pay(begun["url"])
    events = shop.new_events()
    for event in [*reversed(events), *events, *events]:
        await shop.deliver(event)
        await shop.process()
    await shop.settle()
    assert (await left_of(user), money(shop, owner, user)) == ([(4, 0, 0)], {"package_balance": PRICE_CENTS})


async def test_page_that_closes_hands_nothing_over(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Leaving Lin"), await sell(owner)
    begun = (await post_purchase(shop, user, owner, package)).json()["data"]
    shop.v1("POST", f"checkout/sessions/{shop.payments(owner.guru)[0]['checkout_id']}/expire")
    await shop.settle()
    found = await user.get(f"/api/packages/purchases/{begun['id']}")
    assert (found["state"], found["url"], found["grantId"]) == ("expired", "", None)
    assert (await left_of(user), money(shop, owner, user)) == ([], {})
    assert (await buy(shop, user, owner, package))["state"] == "paid"


async def test_jobs_at_once_earn_a_session_once(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    user, package = await create_user("Racing Ray"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    await use(shop, user, owner, bought["grantId"], sessions=3)
    shop.end_sessions(owner.guru)
    complete_bookings(shop.database.service_url)
    body = {"sessions": 1, "left": 1, "reason": "I am moving away."}
    taking = owner.call("POST", f"/package-grants/{bought['grantId']}/withdrawal", body)
    jobs = [asyncio.to_thread(deliver_payments, shop.database.service_url) for _ in range(8)]
    await asyncio.gather(taking, *jobs)
    await shop.deliver_due()
    await shop.deliver_due()
    package_row, *sessions = shop.payments(owner.guru)
    assert len(sessions) == 3
    assert package_row["used_cents"] + package_row["refunded_cents"] == PRICE_CENTS
    earned = sum(one["amount_cents"] - one["fee_cents"] for one in sessions)
    assert money(shop, owner, user) == {"guru_stripe": earned}


@pytest.mark.parametrize("outcome", ["won", "lost"])
async def test_dispute_takes_unused_sessions_first(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser, outcome: str
) -> None:
    user, package = await create_user("Disputing Dee"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    await use(shop, user, owner, bought["grantId"])
    await finish_sessions(shop, owner)
    assert money(shop, owner, user) == {"package_balance": 150_01, "guru_stripe": 45_00}
    found = dispute(shop, owner, number=0)
    await shop.settle()
    taken = sorted(
        [
            FEE,
            ("dispute_opened", "guru_payable", "card_network", 45_00),
            ("dispute_opened", "package_balance", "card_network", 150_01),
            ("dispute_opened", "platform_fees", "card_network", 5_00),
        ]
    )
    assert postings(shop, found) == taken
    assert money(shop, owner, user) == {"guru_payable": -45_00, "guru_stripe": 45_00}
    (own,) = (await user.get("/api/packages"))["packages"]
    assert (own["disputed"], own["isOpen"]) == (True, False)
    start = (await free_starts(shop.web, owner.guru))[-1]
    token = await hold(user, owner.guru, start)
    wanted = {"id": bought["grantId"], "sessions": 1}
    assert code(await post_booking(user, token, package=wanted)) == "package_changed"
    body = {"sessions": 1, "left": 3, "reason": "I am moving away."}
    refused = await owner.call("POST", f"/package-grants/{bought['grantId']}/withdrawal", body, expect=409)
    assert refused["code"] == "payment_disputed"
    seen = await shown(owner)
    assert (seen["serviceName"] != "A session", seen["personName"]) == (True, "Ada Neighbor")
    shop.control("disputes", dispute=found, status=outcome)
    await shop.settle()
    await assert_books_match(shop, found)
    if outcome == "won":
        assert money(shop, owner, user) == {"package_balance": 150_01, "guru_stripe": 45_00}
        assert await left_of(user) == [(3, 1, 0)]
    else:
        assert await left_of(user) == [(0, 1, 3)]
    await finish_sessions(shop, owner)
    row = shop.payments(owner.guru)[0]
    assert (row["disputed"], row["delivered_at"] is None) == (False, outcome == "won")


async def test_dispute_of_new_package_touches_no_earnings(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    user, package = await create_user("Early Ed"), await sell(owner)
    await buy(shop, user, owner, package)
    found = dispute(shop, owner)
    await shop.settle()
    assert postings(shop, found) == [FEE, ("dispute_opened", "package_balance", "card_network", PRICE_CENTS)]
    seen = await shown(owner)
    assert (seen["serviceName"], seen["shareCents"]) == ("Monthly", PRICE_CENTS)
    await assert_books_match(shop, found)


async def test_booked_session_of_lost_package_earns_nothing(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    """The bank returned the price: a session that was booked stays booked, and has nothing to take."""
    user, package = await create_user("Booked Bo"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    await use(shop, user, owner, bought["grantId"])
    found = dispute(shop, owner)
    await shop.settle()
    shop.control("disputes", dispute=found, status="lost")
    await shop.settle()
    await finish_sessions(shop, owner)
    assert (await left_of(user), money(shop, owner, user)) == ([(0, 1, 3)], {})
    assert [one["purpose"] for one in shop.payments(owner.guru)] == ["package"]


async def test_failed_refund_is_sent_again_by_staff(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser, staff: dict[str, str]
) -> None:
    """Until then its money stays the person's: it does not become the guru's when the package ends."""
    user, package = await create_user("Failing Fay"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    shop.control("faults", match="POST /v1/refunds", do="refuse:charge_not_refundable", times=1)
    body = {"sessions": 1, "left": 4, "reason": "I am moving away."}
    await owner.call("POST", f"/package-grants/{bought['grantId']}/withdrawal", body)
    await shop.settle()
    execute(shop.database, "UPDATE package_grants SET expires_at = app.now() - interval '25 hours'")
    await shop.deliver_due()
    assert money(shop, owner, user) == {"package_balance": PRICE_CENTS}
    (refund,) = shop.rows("SELECT id FROM refunds WHERE state = 'failed'")
    assert await send_again(shop, staff, f"refunds/{refund['id']}") == ""
    await shop.settle()
    await shop.deliver_due()
    await shop.deliver_due()
    assert money(shop, owner, user) == {"guru_stripe": 135_01}
