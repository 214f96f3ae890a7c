"""Sessions for which a card is kept, at the fake Stripe: kept, charged, declined and released."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings.deadlines import complete_bookings, expire_bookings
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS
from tests.porchlight.bookings.api import CreateUser, execute, free_starts, post_hold
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.bookings.payments.test_paid_groups import begin_series
from tests.porchlight.factories import SeededGuru
from tests.porchlight.owner import GuruOwner

# $45.01; half of it is owed for canceling in the last 30 days, and all of it for not coming.
LATE: dict[str, Any] = {
    "payment": "hold", "policy": "own", "free_until_minutes": 43_200, "late_percent": 50, "missed_percent": 100,
}  # fmt: skip


@pytest.fixture
async def owner(shop: SessionShop, new_owner: Any) -> GuruOwner:
    """The owner of a guru who keeps cards."""
    created: GuruOwner = await new_owner(**LATE)
    shop.let_take_cards(created.guru)
    return created


@pytest.fixture
def guru(owner: GuruOwner) -> SeededGuru:
    return owner.guru


def cards(shop: SessionShop, user: ApiUser) -> int:
    """Return how many cards Stripe keeps for a user. A customer without a card is deleted with the email address."""
    known = {one["id"] for one in shop.objects("customer") if one["email"] == user.email and not one.get("deleted")}
    found = [one for one in shop.objects("payment_method") if one["customer"] in known]
    assert len(found) == len(known)
    return len(found)


async def keep(
    shop: SessionShop, user: ApiUser, guru: SeededGuru, number: str = PAYS, start: str = ""
) -> dict[str, Any]:
    """Book a session whose card is kept."""
    return await shop.pay_for(user, guru, start or (await free_starts(shop.web, guru))[0], number)


async def mark(shop: SessionShop, owner: GuruOwner, booked: dict[str, Any], *, missed: bool, expect: int = 200) -> Any:
    """Say that the person missed the session, which is over, or came after all."""
    answer = await owner.call("POST", f"/bookings/{booked['id']}/attendance", {"missed": missed}, expect=expect)
    await shop.settle()
    return answer


async def test_kept_card_books_and_posts_nothing(shop: SessionShop, guru: SeededGuru, create_user: CreateUser) -> None:
    user = await create_user("Keeping Kim")
    booked = await shop.begin(user, guru, (await free_starts(shop.web, guru))[0])
    assert (booked["status"], booked["payment"]["mode"], booked["payment"]["state"]) == ("held", "hold", "open")
    shop.pay_page(booked)
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    payment = now["payment"]
    assert (now["status"], payment["state"], payment["card"]) == ("confirmed", "kept", "Visa ending in 4242")
    assert (payment["restCents"], payment["chargeCents"], payment["refundCents"]) == (4501, 2251, 0)
    assert cards(shop, user) == 1
    assert (await user.get("/api/orders"))["orders"] == []
    (stored,) = shop.payments(guru)
    assert shop.balances(stored["owner_id"]) == {}


async def test_late_cancellation_charges_what_was_shown(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Late Leo")
    await connect_account(shop, owner)
    booked = await keep(shop, user, guru)
    shown = booked["payment"]["chargeCents"]
    now = await shop.cancel(user, booked)
    assert (now["status"], now["owedCents"], now["payment"]["state"]) == ("canceled", 2251, "paid")
    assert now["payment"]["amountCents"] == shown == 2251
    charge = shop.objects("charge")[-1]
    assert (charge["amount"], charge["status"], charge["description"]) == (
        2251, "succeeded", f"Late cancellation: {now['serviceName']} with {now['guruName']}",
    )  # fmt: skip
    (stored,) = shop.payments(guru)
    assert (stored["fee_cents"], shop.balances(stored["owner_id"])) == (225, {"guru_held": 2026})
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["mode"], order["state"], order["reason"], order["amountCents"]) == ("hold", "paid", "canceled", 2251)
    receipt = await user.request("GET", f"/api/orders/{order['id']}/receipt.pdf")
    assert receipt.status_code == 200
    details = await owner.call("GET", f"/bookings/{booked['id']}")
    assert details["payment"] == {
        "mode": "hold", "state": "paid", "amountCents": 2251, "refundedCents": 0, "feeCents": 225, "shareCents": 2026,
        "keptCents": 2251, "disputed": False, "disputeId": None, "refunds": [], "deliveredAt": None,
    }  # fmt: skip
    await shop.deliver_due()
    assert cards(shop, user) == 0  # nothing is kept once it was charged
    shop.end_sessions(guru)
    await shop.deliver_due()
    assert shop.balances(stored["owner_id"]) == {"guru_stripe": 2026}


async def test_guru_sees_that_a_card_is_kept(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    booked = await keep(shop, await create_user("Seen Sam"), owner.guru)
    payment = (await owner.call("GET", f"/bookings/{booked['id']}"))["payment"]
    assert (payment["mode"], payment["state"], payment["amountCents"]) == ("hold", "kept", 0)


@pytest.mark.parametrize("way", ["early", "guru", "given"])
async def test_card_is_released_when_nothing_is_owed(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser, way: str
) -> None:
    guru, user = owner.guru, await create_user("Released Rae")
    if way == "early":
        execute(shop.database, "UPDATE booking_settings SET free_until_minutes = 0 WHERE tenant_id = %s", guru.id)
    booked = await keep(shop, user, guru)
    if way == "early":
        await shop.cancel(user, booked)
    elif way == "guru":
        await owner.call("POST", f"/bookings/{booked['id']}/cancellation", {"reason": "I'm ill."})
    else:
        shop.end_sessions(guru, hours=48)
        complete_bookings(shop.database.service_url)
        await shop.deliver_due()
        assert cards(shop, user) == 1  # the guru may say for 48 hours that the person did not come
        shop.end_sessions(guru, hours=50)
    await shop.deliver_due()
    assert cards(shop, user) == 0
    (stored,) = shop.payments(guru)
    assert (stored["state"], stored["card_last4"], stored["method_id"], stored["customer_id"]) == (
        "released", "", "", "",
    )  # fmt: skip
    assert shop.balances(stored["owner_id"]) == {}


async def test_missed_session_is_charged_and_returned_if_taken_back(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Missing Mo")
    booked = await keep(shop, user, guru)
    shop.end_sessions(guru, hours=1)
    await mark(shop, owner, booked, missed=True)
    (stored,) = shop.payments(guru)
    assert (stored["state"], stored["amount_cents"], shop.balances(stored["owner_id"])) == (
        "paid", 4501, {"guru_held": 4051},
    )  # fmt: skip
    await mark(shop, owner, booked, missed=False)
    (order,) = (await user.get("/api/orders"))["orders"]
    assert [(one["amountCents"], one["reason"], one["state"]) for one in order["refunds"]] == [
        (4501, "attended", "done")
    ]
    assert shop.balances(stored["owner_id"]) == {}
    again = await mark(shop, owner, booked, missed=True, expect=409)
    assert again["code"] == "charge_returned"


async def test_missed_taken_back_before_charge_arrives(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Quick Quin")
    booked = await keep(shop, user, guru)
    shop.end_sessions(guru, hours=1)
    for missed in (True, False):
        await owner.call("POST", f"/bookings/{booked['id']}/attendance", {"missed": missed})
    assert shop.payments(guru)[0]["state"] == "charging"
    await shop.settle()
    (stored,) = shop.payments(guru)
    assert (stored["state"], stored["refunded_cents"], shop.balances(stored["owner_id"])) == ("paid", 4501, {})


async def test_declined_charge_is_paid_by_link(shop: SessionShop, owner: GuruOwner, create_user: CreateUser) -> None:
    guru, user = owner.guru, await create_user("Declined Dee")
    booked = await keep(shop, user, guru, FAILS_LATER)
    now = await shop.cancel(user, booked)
    assert (now["payment"]["state"], now["payment"]["amountCents"], now["payment"]["url"]) == ("unpaid", 2251, "")
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["state"], order["amountCents"]) == ("unpaid", 2251)
    details = await owner.call("GET", f"/bookings/{booked['id']}")
    assert (details["payment"]["state"], details["payment"]["amountCents"]) == ("unpaid", 2251)
    await shop.deliver_due()
    assert cards(shop, user) == 0  # the card that was declined is not kept, either
    # Their guru's plan has ended meanwhile.
    execute(shop.database, "DELETE FROM plan_grants WHERE user_id = %s", shop.payments(guru)[0]["owner_id"])
    path = f"/api/bookings/{booked['id']}/payment"
    one, other = await asyncio.gather(shop.during(user.request("POST", path)), shop.during(user.request("POST", path)))
    assert (one.status_code, other.status_code) == (200, 200)
    page = (await user.get(f"/api/bookings/{booked['id']}"))["payment"]
    assert (page["state"], page["amountCents"]) == ("open", 2251)
    assert len([row for row in shop.payments(guru) if row["state"] == "open"]) == 1
    assert (await owner.call("GET", f"/bookings/{booked['id']}"))["payment"]["state"] == "unpaid"
    assert shop.pay(page["url"]).status_code == 303
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert (now["status"], now["payment"]["state"]) == ("canceled", "paid")
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["state"], order["reason"]) == ("paid", "canceled")
    assert shop.balances(shop.payments(guru)[0]["owner_id"]) == {"guru_held": 2026}


async def test_page_for_unpaid_amount_that_closes_is_opened_again(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Again Al")
    booked = await keep(shop, user, guru, FAILS_LATER)
    await shop.cancel(user, booked)
    path = f"/api/bookings/{booked['id']}/payment"
    first = (await shop.during(user.request("POST", path))).json()["data"]["payment"]
    (row,) = shop.rows("SELECT checkout_id FROM payments WHERE id = %s", UUID(first["id"]))
    shop.v1("POST", f"checkout/sessions/{row['checkout_id']}/expire")
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["payment"]["state"] == "unpaid"
    second = (await shop.during(user.request("POST", path))).json()["data"]["payment"]
    assert (second["state"], second["id"] != first["id"]) == ("open", True)
    shop.pay(second["url"])
    await shop.settle()
    assert (await user.get(f"/api/bookings/{booked['id']}"))["payment"]["state"] == "paid"


async def test_unpaid_amount_that_is_taken_back_is_gone(
    shop: SessionShop, owner: GuruOwner, create_user: CreateUser
) -> None:
    guru, user = owner.guru, await create_user("Forgiven Flo")
    booked = await keep(shop, user, guru, FAILS_LATER)
    shop.end_sessions(guru, hours=1)
    await mark(shop, owner, booked, missed=True)
    page = await shop.during(user.request("POST", f"/api/bookings/{booked['id']}/payment"))
    url = page.json()["data"]["payment"]["url"]
    assert url
    await mark(shop, owner, booked, missed=False)
    assert shop.pay(url).status_code != 303  # the page has closed
    assert (await user.get("/api/orders"))["orders"] == []
    response = await user.request("POST", f"/api/bookings/{booked['id']}/payment")
    assert response.status_code == 409


async def test_series_keeps_one_card_and_charges_each_session(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Series Sol")
    series = await begin_series(shop, user, guru, 3)
    shop.pay_page(series["bookings"][0])
    await shop.settle()
    kept = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [(one["status"], one["payment"]["state"]) for one in kept] == [("confirmed", "kept")] * 3
    assert cards(shop, user) == 1
    await shop.cancel(user, kept[0])
    await shop.deliver_due()
    assert cards(shop, user) == 1  # for the other two
    following = await user.get(f"/api/bookings/{kept[1]['id']}/following")
    assert [one["chargeCents"] for one in following["sessions"]] == [2251, 2251]
    body = {"termsDigest": following["digest"], "reason": ""}
    path = f"/api/bookings/{kept[1]['id']}/following/cancellation"
    assert (await user.request("POST", path, json=body)).status_code == 200
    await shop.settle()
    owner = shop.payments(guru)[0]["owner_id"]
    assert shop.balances(owner) == {"guru_held": 3 * 2026}
    assert [one["amountCents"] for one in (await user.get("/api/orders"))["orders"]] == [2251] * 3
    await shop.deliver_due()
    assert cards(shop, user) == 0


async def test_hold_with_open_page_keeps_its_seat_until_given_up(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    user, other = await create_user("Slow Sy"), await create_user("Next Nia")
    start = (await free_starts(shop.web, guru))[0]
    booked = await shop.begin(user, guru, start)
    assert (await post_hold(other, guru, start)).status_code == 409
    await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")
    assert (await post_hold(other, guru, start)).status_code == 201
    await shop.settle()
    assert shop.payments(guru)[0]["state"] == "canceled"


@pytest.mark.parametrize("taken", [False, True])
async def test_late_card_takes_free_seat_or_is_released(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser, taken: bool
) -> None:
    user = await create_user("Tardy Tia")
    start = (await free_starts(shop.web, guru))[-1]
    booked = await shop.begin(user, guru, start)
    shop.pay_page(booked)  # and the news of it is late
    execute(shop.database, "UPDATE bookings SET expires_at = app.now() WHERE id = %s", booked["id"])
    expire_bookings(shop.database.service_url)
    if taken:
        assert (await post_hold(await create_user("Fast Fay"), guru, start)).status_code == 201
    await shop.settle()
    now = await user.get(f"/api/bookings/{booked['id']}")
    expected = ("expired", "released") if taken else ("confirmed", "kept")
    assert (now["status"], now["payment"]["state"]) == expected
    await shop.deliver_due()
    assert cards(shop, user) == (not taken)


async def test_give_up_and_kept_card_at_once_agree(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    for number in range(5):
        user = await create_user(f"Racing Rob {number}")
        booked = await shop.begin(user, guru, (await free_starts(shop.web, guru))[0])
        shop.pay_page(booked)
        path = f"/api/bookings/{booked['id']}/payment"
        await asyncio.gather(shop.settle(), user.request("DELETE", path))
        await shop.settle()
        now = await user.get(f"/api/bookings/{booked['id']}")
        outcome = (now["status"], now["payment"]["state"])
        assert outcome in {("confirmed", "kept"), ("expired", "released")}
        await shop.deliver_due()
        assert cards(shop, user) == (outcome[1] == "kept")


async def test_canceled_twice_at_once_charges_once(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Double Di")
    booked = await keep(shop, user, guru)
    digest = booked["terms"]["digest"]
    path = f"/api/bookings/{booked['id']}/cancellation"
    await asyncio.gather(*(user.request("POST", path, json={"termsDigest": digest, "reason": ""}) for _ in range(4)))
    await shop.settle()
    (stored,) = shop.payments(guru)
    assert (stored["state"], shop.balances(stored["owner_id"])) == ("paid", {"guru_held": 2026})
    charges = [one for one in shop.objects("charge") if one["metadata"].get("payment") == str(stored["id"])]
    assert [one["amount"] for one in charges] == [2251]


async def test_copied_terms_decide_what_is_charged(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Copied Cal")
    booked = await keep(shop, user, guru)
    execute(
        shop.database,
        "UPDATE booking_settings SET late_percent = 100, payment = 'full' WHERE tenant_id = %s", guru.id,
    )  # fmt: skip
    execute(shop.database, "UPDATE services SET price_cents = 9000 WHERE tenant_id = %s", guru.id)
    now = await shop.cancel(user, booked)
    assert (now["payment"]["state"], now["payment"]["amountCents"]) == ("paid", 2251)


async def test_charge_works_after_the_gurus_plan_ended(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Planless Pat")
    booked = await keep(shop, user, guru)
    owner_id = shop.payments(guru)[0]["owner_id"]
    execute(shop.database, "DELETE FROM plan_grants WHERE user_id = %s", owner_id)
    now = await shop.cancel(user, booked)
    assert now["payment"]["state"] == "paid"
    assert shop.balances(owner_id) == {"guru_held": 2026}
    shop.end_sessions(guru)
    await shop.deliver_due()
    assert shop.balances(owner_id) == {"guru_payable": 2026}  # until their account is connected


async def test_requests_cannot_keep_or_charge_cards_at_will(
    shop: SessionShop, guru: SeededGuru, create_user: CreateUser
) -> None:
    from tests.porchlight.bookings.payments.test_payment_rights import _apply

    user = await create_user("Crafty Cy")
    booked = await shop.begin(user, guru, (await free_starts(shop.web, guru))[0])
    (stored,) = shop.payments(guru)
    card = {"id": str(stored["id"]), "customer_id": "cus", "method_id": "pm", "card_brand": "", "card_last4": ""}
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _apply(shop, guru, user.user_id, [{"kept": card}])
    shop.pay_page(booked)
    await shop.settle()
    charge = {"id": str(stored["id"]), "amount_cents": 2251, "fee_cents": 225}
    note = {"id": booked["id"], "was": "confirmed", "values": {"note": "More words."}}
    end = note | {"values": {"status": "canceled", "ended_by": "person", "owed_cents": 2250}}
    end["values"]["ended_at"] = "2027-01-01T00:00:00Z"
    for changed in ([], [note], [end]):  # of a booking that stays, and another amount than is owed
        with pytest.raises(psycopg.errors.NoDataFound):
            _apply(shop, guru, user.user_id, [{"charge": charge}], changed)
    for changed in ([], [note]):
        with pytest.raises(psycopg.errors.NoDataFound):
            _apply(shop, guru, user.user_id, [{"released": str(stored["id"])}], changed)
    begin = {
        "id": str(UUID(int=7)), "booking_id": booked["id"], "group_id": str(UUID(int=7)), "number": 2, "mode": "hold",
        "amount_cents": 100, "fee_cents": 0, "fee_bps": 1000, "fee_minimum_cents": 50, "is_owed": True,
        "expires_at": "2100-01-01T00:00:00Z",
    }  # fmt: skip
    with pytest.raises(psycopg.errors.NoDataFound):  # nothing is owed
        _apply(shop, guru, user.user_id, [{"begin": begin}])
