"""News of a payment and of its refund, in any order, twice, late and at once."""

from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta

import pytest

from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru
from tests.porchlight.settlement.both_sides import SettableClock


async def test_refund_that_fails_later_is_released(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Unlucky Una")
    booked = await shop.pay_for(user, paid_guru)
    await shop.cancel(user, booked)
    (paid,) = shop.payments(paid_guru)
    assert shop.balances(paid["owner_id"]) == {}
    refund = shop.rows("SELECT refund_id FROM refunds WHERE payment_id = %s", paid["id"])[0]["refund_id"]
    shop.control(f"refunds/{refund}/fail")
    await shop.settle()
    assert shop.payments(paid_guru)[0]["refunded_cents"] == 0
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4051}
    (order,) = (await user.get("/api/orders"))["orders"]
    assert [one["state"] for one in order["refunds"]] == ["failed"]
    shop.end_sessions(paid_guru)
    await shop.deliver_due()
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4051}  # it is not the guru's


ORDERS = list(itertools.permutations(range(4)))


@pytest.mark.parametrize("seed", range(6))
async def test_events_in_any_order_book_and_pay_once(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, seed: int
) -> None:
    user = await create_user("Ordered Olga")
    booked = await shop.begin(user, paid_guru)
    shop.pay_page(booked)
    events = shop.new_events()
    order = ORDERS[seed * 4 % len(ORDERS)]
    for index in [*order, *range(4, len(events))] if len(events) >= 4 else range(len(events)):
        await shop.deliver(events[index])
        await shop.process()
        await shop.deliver(events[index])
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["refundedCents"]) == ("confirmed", 0)
    (paid,) = shop.payments(paid_guru)
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4051}


async def test_paid_twice_at_once_books_once(shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser) -> None:
    """Two workers that process the event of one payment at the same time book and post it once."""
    user = await create_user("Parallel Pam")
    booked = await shop.begin(user, paid_guru)
    shop.pay_page(booked)
    (done,) = [one for one in shop.new_events() if one["type"] == "checkout.session.completed"]
    await shop.deliver(done)
    await asyncio.gather(*(shop.settlement.process_event(done["id"]) for _ in range(4)))
    await shop.settle()
    (paid,) = shop.payments(paid_guru)
    assert (paid["state"], shop.balances(paid["owner_id"])) == ("paid", {"guru_held": 4051})
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "confirmed"


async def test_page_that_stripe_refuses_can_be_opened_again(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Patient Pat")
    shop.control("faults", match="POST /v1/checkout/sessions", do="status:400", times=1)
    booked = await shop.begin(user, paid_guru)
    assert (booked["status"], booked["payment"]["state"], booked["payment"]["url"]) == ("held", "failed", "")
    again = await shop.during(user.request("POST", f"/api/bookings/{booked['id']}/payment"))
    assert again.json()["data"]["payment"]["state"] == "open"
    shop.pay_page(again.json()["data"])
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "confirmed"


@pytest.mark.parametrize("way", ["booked", "given_up"])
async def test_payment_whose_event_is_lost_is_found(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, product_clock: SettableClock, way: str
) -> None:
    user = await create_user("Unheard Una")
    booked = await shop.begin(user, paid_guru)
    shop.pay_page(booked)  # in another tab, if the person gives up here
    if way == "given_up":
        await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")
        await shop.settlement.send_due()
    assert [one["type"] for one in shop.new_events()].count("checkout.session.completed") == 1  # and never arrives
    product_clock.advance(timedelta(hours=1))
    await shop.settlement.fetch_open_objects()
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    expected = {"booked": ("confirmed", "paid", 0), "given_up": ("expired", "paid", 4501)}
    assert (now["status"], now["payment"]["state"], now["payment"]["refundedCents"]) == expected[way]
