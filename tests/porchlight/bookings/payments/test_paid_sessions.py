"""Sessions that are paid by card when they are booked: paid, canceled, missed, and lost."""

from __future__ import annotations

from typing import Any

import pytest

from porchlight.features.bookings.deadlines import complete_bookings
from tests.porchlight.bookings.api import CreateUser, NewGuru, code, execute, free_starts, hold, post_booking
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru


async def test_paid_session_is_booked_and_held_for_guru(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Paying Pia")
    booked = await shop.begin(user, paid_guru)
    payment = booked["payment"]
    assert (booked["status"], payment["state"], payment["amountCents"]) == ("held", "open", 4501)
    assert [one["id"] for one in (await user.get("/api/bookings", when="upcoming"))["bookings"]] == [booked["id"]]
    assert (await user.get("/api/bookings", when="past"))["bookings"] == []
    assert shop.pay_page(booked).headers["location"].endswith(f"/sessions/{booked['id']}?payment=done")
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["state"], now["payment"]["card"]) == (
        "confirmed", "paid", "Visa ending in 4242",
    )  # fmt: skip
    assert (now["payment"]["url"], now["payment"]["refundCents"]) == ("", 4501)
    (paid,) = shop.payments(paid_guru)
    assert shop.balances(paid["owner_id"]) == {"guru_held": 4501 - 450}
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["bookingId"], order["amountCents"], order["refunds"]) == (booked["id"], 4501, [])


async def test_declined_card_can_be_tried_again(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Declined Dan")
    booked = await shop.begin(user, paid_guru)
    assert shop.pay(booked["payment"]["url"], "4000 0000 0000 0002").status_code == 402
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "held"
    shop.pay_page(booked)
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "confirmed"


async def test_same_request_twice_pays_once(shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser) -> None:
    user = await create_user("Double Dee")
    token = await hold(user, paid_guru, (await free_starts(shop.web, paid_guru))[-1])
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    headers = {"idempotency-key": "one"}
    first = await shop.during(post_booking(user, token, digest, headers=headers))
    second = await shop.during(post_booking(user, token, digest, headers=headers))
    other_tab = await shop.during(post_booking(user, token, digest))
    urls = {one.json()["data"]["payment"]["url"] for one in (first, second, other_tab)}
    assert (len(urls), len(shop.payments(paid_guru))) == (1, 1)
    shown = await user.get(f"/api/holds/{token}")
    assert shown["bookingId"] == first.json()["data"]["id"]


@pytest.mark.parametrize(
    ("terms", "refunded", "kept"),
    [
        ({}, 4501, {}),
        ({"free_until_minutes": 43_200, "late_percent": 50}, 2250, {"guru_held": 2251 - 225}),
        ({"free_until_minutes": 43_200, "late_percent": 100, "missed_percent": 100}, 0, {"guru_held": 4501 - 450}),
    ],
)
async def test_canceled_session_returns_what_is_not_owed(
    shop: SessionShop, new_guru: NewGuru, create_user: CreateUser, terms: dict[str, Any], refunded: int,
    kept: dict[str, int],
) -> None:  # fmt: skip
    guru, user = new_guru(payment="full", **terms), await create_user("Canceling Cara")
    owner = shop.let_take_cards(guru)
    start = (await free_starts(shop.web, guru))[0]
    booked = await shop.pay_for(user, guru, start)
    assert booked["payment"]["refundCents"] == refunded
    canceled = await shop.cancel(user, booked)
    assert (canceled["status"], canceled["payment"]["refundedCents"]) == ("canceled", refunded)
    assert shop.balances(owner) == kept
    (order,) = (await user.get("/api/orders"))["orders"]
    expected = [(refunded, "canceled", "done")] if refunded else []
    assert [(one["amountCents"], one["reason"], one["state"]) for one in order["refunds"]] == expected


async def test_given_up_time_is_free_and_page_closed(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Leaving Lea")
    start = (await free_starts(shop.web, paid_guru))[-1]
    booked = await shop.begin(user, paid_guru, start)
    response = await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")
    assert (response.status_code, response.json()["data"]["payment"]["state"]) == (200, "canceled")
    assert start in await free_starts(shop.web, paid_guru)
    await shop.settle()
    assert shop.pay(booked["payment"]["url"]).status_code == 410
    again = await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")
    assert code(again) == "hold_expired"


async def test_payment_after_giving_up_is_returned(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Paying Late")
    booked = await shop.begin(user, paid_guru)
    shop.pay_page(booked)  # in another tab
    await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["state"], now["payment"]["refundedCents"]) == ("expired", "paid", 4501)
    assert shop.balances(shop.payments(paid_guru)[0]["owner_id"]) == {}


async def test_lost_slot_is_refunded_in_full(shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser) -> None:
    slow, quick = await create_user("Slow Sam"), await create_user("Quick Quin")
    start = (await free_starts(shop.web, paid_guru))[-1]
    booked = await shop.begin(slow, paid_guru, start)
    shop.pay_page(booked)  # and the news of it is delayed
    execute(shop.database, "UPDATE bookings SET expires_at = app.now() WHERE id = %s", booked["id"])
    taken = await shop.begin(quick, paid_guru, start)
    await shop.settle()
    lost = await slow.get(f"/api/bookings/{booked['id']}")
    assert (lost["status"], lost["payment"]["refundedCents"]) == ("expired", 4501)
    (order,) = (await slow.get("/api/orders"))["orders"]
    assert [one["reason"] for one in order["refunds"]] == ["seat_lost"]
    assert (await quick.get(f"/api/bookings/{taken['id']}"))["status"] == "held"


async def test_late_payment_takes_free_seat_again(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Late Lou")
    booked = await shop.begin(user, paid_guru)
    shop.pay_page(booked)
    execute(shop.database, "UPDATE bookings SET expires_at = app.now() WHERE id = %s", booked["id"])
    await free_starts(shop.web, paid_guru)
    await hold(
        await create_user("Other Ora"), paid_guru, (await free_starts(shop.web, paid_guru))[0]
    )  # ends what is due
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "expired"
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["status"] == "confirmed"


async def test_page_that_closed_frees_the_seat(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Idle Ira")
    start = (await free_starts(shop.web, paid_guru))[-1]
    booked = await shop.begin(user, paid_guru, start)
    shop.v1("POST", f"checkout/sessions/{shop.payments(paid_guru)[0]['checkout_id']}/expire")
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["state"]) == ("expired", "expired")
    assert start in await free_starts(shop.web, paid_guru)
    assert (await user.get("/api/orders"))["orders"] == []


async def test_guru_without_plan_takes_no_cards(shop: SessionShop, new_guru: NewGuru, create_user: CreateUser) -> None:
    guru, user = new_guru(payment="full"), await create_user("Lost Lia")
    token = await hold(user, guru, (await free_starts(shop.web, guru))[-1])
    assert code(await post_booking(user, token)) == "cards_unavailable"
    assert shop.payments(guru) == []


async def test_delivered_session_reaches_gurus_account(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Happy Hal")
    await shop.pay_for(user, paid_guru)
    owner = shop.payments(paid_guru)[0]["owner_id"]
    await shop.deliver_due()
    assert shop.balances(owner) == {"guru_held": 4051}
    shop.end_sessions(paid_guru)
    complete_bookings(shop.database.service_url)
    await shop.deliver_due()
    await shop.deliver_due()
    assert shop.balances(owner) == {"guru_payable": 4051}


async def test_booking_is_not_seen_by_guru_until_paid(
    shop: SessionShop, new_owner: Any, create_user: CreateUser
) -> None:
    owner = await new_owner(payment="full")
    shop.let_take_cards(owner.guru)
    user = await create_user("Waiting Wim")
    booked = await shop.begin(user, owner.guru)
    assert await owner.call("GET", f"/bookings/{booked['id']}", expect=404)
    shop.pay_page(booked)
    await shop.settle()
    shown = await owner.call("GET", f"/bookings/{booked['id']}")
    assert (shown["status"], shown["payment"]) == (
        "confirmed",
        {
            "mode": "full", "state": "paid",
            "amountCents": 4501, "refundedCents": 0, "feeCents": 450, "shareCents": 4051, "keptCents": 4501,
            "disputed": False, "disputeId": None, "refunds": [], "deliveredAt": None,
        },
    )  # fmt: skip
    await shop.cancel(user, booked)
    shown = await owner.call("GET", f"/bookings/{booked['id']}")
    assert (shown["payment"]["refundedCents"], shown["payment"]["shareCents"]) == (4501, 0)
