"""Refunds that a guru makes: where they come from, who reads of them, and when they are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute, free_starts
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account, finish
from tests.porchlight.owner import GuruOwner

KEY = {"idempotency-key": "refund-1"}


async def give_back(seller: GuruOwner, booked: dict[str, Any], cents: int, kept: int = 4501, **options: Any) -> Any:
    """Return a part of a payment as its guru."""
    body = {"amountCents": cents, "keptCents": kept} | options.pop("body", {})
    return await seller.call("POST", f"/bookings/{booked['id']}/refunds", body, expect=201, **options)


async def refuse(seller: GuruOwner, booked: dict[str, Any], body: dict[str, Any], expect: int = 409) -> str:
    """Return the code with which a refund is refused."""
    error = await seller.call("POST", f"/bookings/{booked['id']}/refunds", body, expect=expect)
    return str(error["code"])


async def test_refund_in_part_takes_from_both_sides(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Grateful Gia")
    booked = await shop.pay_for(user, seller.guru)
    path = f"/bookings/{booked['id']}"
    preview = await seller.call("GET", f"{path}/refunds/preview?amountCents=2000")
    assert preview == {"amountCents": 2000, "shareCents": 1800, "feeCents": 200, "keptCents": 4501}
    shown = await give_back(seller, booked, 2000, body={"words": "Sorry that I was late!"})
    assert [(one["amountCents"], one["shareCents"], one["state"]) for one in shown["payment"]["refunds"]] == [
        (2000, 1800, "requested")
    ]
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4051 - 1800}
    shown = (await seller.call("GET", path))["payment"]
    assert (shown["keptCents"], shown["shareCents"], shown["feeCents"]) == (2501, 2251, 250)
    assert shown["refunds"][0]["state"] == "done"
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["refundedCents"], order["refunds"][0]["reason"]) == (2000, "goodwill")
    assert (await user.get(f"/api/bookings/{booked['id']}"))["payment"]["refundedCents"] == 2000


async def test_refund_is_told_to_both_sides(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Told Toni")
    booked = await shop.pay_for(user, seller.guru)
    await do_jobs(shop.database)
    await give_back(seller, booked, 2000, body={"words": "Sorry that I was late!"})
    await do_jobs(shop.database)
    (refund,) = shop.rows("SELECT id FROM refunds WHERE person_id = %s", user.user_id)
    sent = {
        row["key"].rsplit("-", 1)[1]: row
        for row in shop.rows("SELECT key, subject, plain FROM dev_mailbox WHERE key LIKE %s", f"refund-{refund['id']}%")
    }
    assert "returned $20.00 to you" in sent["person"]["subject"]
    assert "$20.00 of what you paid goes back to your card" in sent["person"]["plain"]
    assert "You returned $20.00 to" in sent["guru"]["subject"]
    assert "$18.00 comes from you, $2.00 from our fee." in sent["guru"]["plain"]
    assert all("Sorry that I was late!" in one["plain"] for one in sent.values())
    events = (await seller.call("GET", f"/bookings/{booked['id']}"))["events"]
    assert (events[-1]["event"], events[-1]["reason"]) == ("refunded", "Sorry that I was late!")


async def test_refund_after_transfer_is_netted(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    user, other = await create_user("Late Lou"), await create_user("Next Nan")
    await connect_account(shop, seller)
    booked = await shop.pay_for(user, seller.guru)
    await finish(shop, seller.guru)
    (paid,) = shop.payments(seller.guru)
    assert shop.balances(paid["owner_id"]) == {"guru_stripe": 4051}
    await give_back(seller, booked, 4501)
    await shop.settle()
    books = shop.balances(paid["owner_id"])
    assert books.get("guru_stripe", 0) + books.get("guru_payable", 0) == 0
    await shop.pay_for(other, seller.guru, (await free_starts(shop.web, seller.guru))[-1])
    await finish(shop, seller.guru)
    assert shop.balances(paid["owner_id"]) == {"guru_stripe": 4051}


async def test_refund_is_made_once_for_a_key(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    booked = await shop.pay_for(await create_user("Twice Tia"), seller.guru)
    for _ in range(2):
        shown = await give_back(seller, booked, 1000, headers=KEY)
        assert [one["amountCents"] for one in shown["payment"]["refunds"]] == [1000]
    body = {"amountCents": 1001, "keptCents": 4501}
    reused = await seller.call("POST", f"/bookings/{booked['id']}/refunds", body, expect=409, headers=KEY)
    assert reused["code"] == "key_reused"
    assert len(shop.rows("SELECT id FROM refunds WHERE payment_id = %s", shop.payments(seller.guru)[0]["id"])) == 1


@pytest.mark.parametrize(
    ("body", "expect", "code"),
    [
        ({"amountCents": 4502, "keptCents": 4501}, 409, "refund_too_large"),
        ({"amountCents": 100, "keptCents": 4000}, 409, "refund_changed"),
        ({"amountCents": 0, "keptCents": 4501}, 422, "validation_failed"),
        ({"amountCents": -100, "keptCents": 4501}, 422, "validation_failed"),
        ({"amountCents": 10.5, "keptCents": 4501}, 422, "validation_failed"),
        ({"amountCents": 10.0, "keptCents": 4501}, 422, "validation_failed"),
        ({"amountCents": "1000", "keptCents": 4501}, 422, "validation_failed"),
    ],
)
async def test_refund_of_a_wrong_amount_is_refused(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, body: dict[str, Any], expect: int, code: str
) -> None:
    booked = await shop.pay_for(await create_user("Wrong Wes"), seller.guru)
    assert await refuse(seller, booked, body, expect) == code
    assert shop.payments(seller.guru)[0]["refunded_cents"] == 0


async def test_refund_of_disputed_payment_is_refused(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser
) -> None:
    booked = await shop.pay_for(await create_user("Bank Bea"), seller.guru)
    execute(shop.database, "UPDATE payments SET disputed = true WHERE tenant_id = %s", seller.guru.id)
    assert await refuse(seller, booked, {"amountCents": 100, "keptCents": 4501}) == "payment_disputed"
    preview = f"/bookings/{booked['id']}/refunds/preview?amountCents=100"
    assert (await seller.call("GET", preview, expect=409))["code"] == "payment_disputed"


async def test_refund_of_unpaid_booking_is_not_found(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    seller, other = await new_owner(payment="full"), await new_owner(payment="full")
    shop.let_take_cards(seller.guru)
    booked = await shop.pay_for(await create_user("Own Ola"), seller.guru)
    body = {"amountCents": 100, "keptCents": 4501}
    error = await other.call("POST", f"/bookings/{booked['id']}/refunds", body, expect=404)
    assert error["code"] == "not_found"
    assert await other.call("GET", f"/bookings/{booked['id']}/refunds/preview?amountCents=100", expect=404)
