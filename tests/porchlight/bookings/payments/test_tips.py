"""Tips after a session: paid on Stripe's page, the guru's as a whole, and sent to their account."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.features.bookings.payments.settlement.checkouts import SessionCheckoutRule
from porchlight.settlement.rules import Source
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import wait_until
from tests.porchlight.bookings.api import CreateUser, book, code, execute, free_starts
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.owner import GuruOwner


@pytest.fixture
async def tipped(shop: SessionShop, new_owner: Any) -> GuruOwner:
    """A guru who can take cards, and whose sessions are paid in person."""
    owner: GuruOwner = await new_owner()
    shop.let_take_cards(owner.guru)
    await connect_account(shop, owner)
    return owner


async def attended(shop: SessionShop, owner: GuruOwner, user: ApiUser, hours: int = 1) -> dict[str, Any]:
    """Book a session that is over."""
    booked = await book(user, owner.guru, (await free_starts(shop.web, owner.guru))[-1])
    shop.end_sessions(owner.guru, hours=hours)
    return booked


async def post_tip(
    shop: SessionShop, user: ApiUser, booked: dict[str, Any], cents: Any = 1000, key: str = ""
) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    request = user.request("POST", f"/api/bookings/{booked['id']}/tips", json={"amountCents": cents}, headers=headers)
    return await shop.during(request)


async def tip(shop: SessionShop, user: ApiUser, booked: dict[str, Any], cents: int = 1000) -> dict[str, Any]:
    """Begin a tip and return it."""
    response = await post_tip(shop, user, booked, cents)
    assert response.status_code == 201, response.text
    begun: dict[str, Any] = response.json()["data"]
    return begun


def balances(shop: SessionShop, owner: GuruOwner) -> dict[str, int]:
    """Return the balances of a guru's owner in cents."""
    assert owner.guru.owner is not None
    return shop.balances(owner.guru.owner)


async def test_tip_is_the_gurus_as_a_whole(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Thankful Tess")
    booked = await attended(shop, tipped, user)
    offered = await user.get(f"/api/bookings/{booked['id']}/tips")
    assert (offered["state"], [one["percent"] for one in offered["suggestions"]]) == ("open", [10, 15, 20])
    begun = await tip(shop, user, booked)
    paid_page = shop.pay(begun["url"])
    assert paid_page.headers["location"].endswith(f"/sessions/{booked['id']}?tip=done")
    await shop.settle()
    (shown,) = (await user.get(f"/api/bookings/{booked['id']}/tips"))["tips"]
    assert (shown["state"], shown["amountCents"], shown["url"]) == ("paid", 1000, "")
    assert balances(shop, tipped) == {"guru_payable": 1000}
    assert shop.rows("SELECT 1 FROM ledger_transactions WHERE event = 'tip_paid' AND subject_id = %s", begun["id"])
    await shop.deliver_due()
    assert balances(shop, tipped) == {"guru_stripe": 1000}
    (sent,) = shop.objects("transfer", transfer_group=begun["id"])
    (paid,) = shop.payments(tipped.guru)
    assert (sent["amount"], sent["source_transaction"], paid["fee_cents"]) == (1000, paid["charge_id"], 0)
    assert (await tipped.call("GET", f"/bookings/{booked['id']}"))["tippedCents"] == 1000
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["purpose"], order["amountCents"], order["bookingId"]) == ("tip", 1000, booked["id"])
    receipt = await user.request("GET", f"/api/orders/{order['id']}/receipt.pdf")
    assert (receipt.status_code, receipt.content[:5]) == (200, b"%PDF-")


async def test_tip_keeps_the_payment_of_its_session(shop: SessionShop, new_owner: Any, create_user: CreateUser) -> None:
    """A tip is no payment of the booking: what a session shows, owes and returns does not change."""
    owner, user = await new_owner(payment="full"), await create_user("Card Cam")
    shop.let_take_cards(owner.guru)
    await connect_account(shop, owner)
    booked = await shop.pay_for(user, owner.guru)
    shop.end_sessions(owner.guru, hours=1)
    (order,) = (await user.get("/api/orders"))["orders"]
    assert order["canTip"] is True
    shop.pay((await tip(shop, user, booked))["url"])
    await shop.settle()
    shown = await user.get(f"/api/bookings/{booked['id']}")
    assert (shown["payment"]["amountCents"], shown["payment"]["totalCents"]) == (4501, 4501)
    console = await owner.call("GET", f"/bookings/{booked['id']}")
    assert (console["payment"]["amountCents"], console["tippedCents"]) == (4501, 1000)
    assert balances(shop, owner) == {"guru_held": 4051, "guru_payable": 1000}


async def test_same_tip_twice_is_paid_once(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Double Dina")
    booked = await attended(shop, tipped, user)
    answers = [await post_tip(shop, user, booked, key="one"), await post_tip(shop, user, booked, key="one")]
    answers.append(await post_tip(shop, user, booked))  # in another tab
    assert {one.json()["data"]["id"] for one in answers} == {str(shop.payments(tipped.guru)[0]["id"])}
    reused = await post_tip(shop, user, booked, 2000, key="one")
    assert code(reused) == "key_reused"


async def test_fifty_tabs_open_one_page(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Many Mo")
    booked = await attended(shop, tipped, user)
    begun = await asyncio.gather(*(post_tip(shop, user, booked) for _ in range(50)))
    assert {one.status_code for one in begun} == {201}
    assert len(shop.payments(tipped.guru)) == 1


async def test_purchases_of_a_person_wait_for_each_other(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    """Another process decides on a purchase of the person: this one waits, and then sees what came of it."""
    user = await create_user("Waiting Walt")
    booked = await attended(shop, tipped, user)

    async def waits() -> bool:
        return bool(shop.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))

    with psycopg.connect(shop.database.app_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(hashtextextended('checkouts ' || %s, 0))", [str(user.user_id)])
        begun = asyncio.create_task(post_tip(shop, user, booked))
        await wait_until("the purchase waits", waits, 60)
        assert shop.payments(tipped.guru) == []
    assert (await begun).status_code == 201


async def test_other_amount_closes_the_first_page(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Undecided Uma")
    booked = await attended(shop, tipped, user)
    first, second = await tip(shop, user, booked, 500), await tip(shop, user, booked, 2000)
    await shop.settle()
    assert shop.pay(first["url"]).status_code == 410
    shop.pay(second["url"])
    await shop.settle()
    assert balances(shop, tipped) == {"guru_payable": 2000}
    states = [one["state"] for one in (await user.get(f"/api/bookings/{booked['id']}/tips"))["tips"]]
    assert states == ["paid", "canceled"]


async def test_page_that_closed_ends_the_tip(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Idle Ida")
    booked = await attended(shop, tipped, user)
    await tip(shop, user, booked)
    shop.v1("POST", f"checkout/sessions/{shop.payments(tipped.guru)[0]['checkout_id']}/expire")
    await shop.settle()
    (ended,) = (await user.get(f"/api/bookings/{booked['id']}/tips"))["tips"]
    assert (ended["state"], ended["url"]) == ("expired", "")
    assert (await user.get("/api/orders"))["orders"] == []


async def test_fourth_tip_and_sixth_page_are_refused(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    user, other = await create_user("Generous Gus"), await create_user("Other Hal")
    booked = await attended(shop, tipped, user)
    for _ in range(3):
        shop.pay((await tip(shop, user, booked))["url"])
        await shop.settle()
    assert code(await post_tip(shop, user, booked)) == "tips_full"
    assert (await user.get(f"/api/bookings/{booked['id']}/tips"))["state"] == "full"
    booked = await attended(shop, tipped, other)
    for cents in range(100, 600, 100):
        await tip(shop, other, booked, cents)
    assert (await post_tip(shop, other, booked, 600)).status_code == 429


async def test_tips_need_a_past_session_and_a_ready_guru(
    shop: SessionShop, tipped: GuruOwner, new_owner: Any, create_user: CreateUser
) -> None:
    user, other = await create_user("Early Ed"), await create_user("Nosy Noa")
    ahead = await book(user, tipped.guru, (await free_starts(shop.web, tipped.guru))[-1])
    assert code(await post_tip(shop, user, ahead)) == "tips_closed"
    assert (await post_tip(shop, other, ahead)).status_code == 404
    assert (await other.request("GET", f"/api/bookings/{ahead['id']}/tips")).status_code == 404
    shop.end_sessions(tipped.guru, hours=24 * 31)
    assert code(await post_tip(shop, user, ahead)) == "tips_closed"
    without = await new_owner()
    booked = await attended(shop, without, user)
    assert code(await post_tip(shop, user, booked)) == "cards_unavailable"
    assert (await user.get(f"/api/bookings/{booked['id']}/tips"))["state"] == "unavailable"


@pytest.mark.parametrize("cents", [0, -500, 99, 50_001, 10.5, "1000", None])
async def test_amount_that_is_no_tip_is_refused(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser, cents: Any
) -> None:
    user = await create_user("Odd Ola")
    booked = await attended(shop, tipped, user)
    refused = await post_tip(shop, user, booked, cents)
    assert (code(refused), list(refused.json()["error"]["fields"])) == ("validation_failed", ["amountCents"])
    assert shop.payments(tipped.guru) == []


async def test_events_of_a_tip_in_any_order_count_once(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Replay Rae")
    booked = await attended(shop, tipped, user)
    shop.pay((await tip(shop, user, booked))["url"])
    (begun,) = shop.payments(tipped.guru)
    execute(shop.database, "UPDATE payments SET state = 'expired' WHERE id = %s", begun["id"])  # news out of order
    await shop.settle()
    rule = SessionCheckoutRule()
    fetched = shop.v1("GET", rule.path(begun["checkout_id"]).removeprefix("/v1/"))
    for _ in range(2):
        with psycopg.connect(shop.database.service_url) as conn:
            rule.apply(conn, begun["checkout_id"], fetched, Source("", clock.now(), "", livemode=False))
    assert balances(shop, tipped) == {"guru_payable": 1000}
    told = shop.rows("SELECT 1 FROM jobs.procrastinate_jobs WHERE args ->> 'payment_id' = %s", str(begun["id"]))
    assert len(told) == 1


async def test_tip_of_another_amount_is_not_recorded(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Wrong Wes")
    booked = await attended(shop, tipped, user)
    shop.pay((await tip(shop, user, booked))["url"])
    (begun,) = shop.payments(tipped.guru)
    rule = SessionCheckoutRule()
    fetched = shop.v1("GET", rule.path(begun["checkout_id"]).removeprefix("/v1/")) | {"amount_total": 1}
    with psycopg.connect(shop.database.service_url) as conn, pytest.raises(ValueError, match="were paid instead"):
        rule.apply(conn, begun["checkout_id"], fetched, Source("", clock.now(), "", livemode=False))


async def test_requests_cannot_tip_for_others(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    """A wrong decision in a request cannot begin a tip for another person's session, nor another purchase."""
    user, other = await create_user("Own Oda"), await create_user("Other Ono")
    booked = await attended(shop, tipped, user)
    values = {
        "id": str(new_id()),
        "booking_id": booked["id"],
        "amount_cents": 1000,
        "expires_at": "2100-01-01T00:00:00Z",
    }
    for person, purpose in ((other, "tip"), (user, "session")):
        with psycopg.connect(shop.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(person.user_id)])
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tipped.guru.id)])
            with pytest.raises(psycopg.errors.NoDataFound):
                conn.execute("SELECT app.begin_purchase(%s)", [Jsonb(values | {"purpose": purpose, "checkout": {}})])


async def test_returned_tip_comes_from_the_guru(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Regretful Rob")
    booked = await attended(shop, tipped, user)
    shop.pay((await tip(shop, user, booked))["url"])
    await shop.settle()
    (paid,) = shop.payments(tipped.guru)
    refund = {
        "id": str(new_id()), "payment_id": str(paid["id"]), "amount_cents": 1000, "fee_cents": 0, "reason": "goodwill",
        "actor": "staff",
    }  # fmt: skip
    with psycopg.connect(shop.database.service_url) as conn:
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tipped.guru.id)])
        changes = {"bookings": [], "payments": [{"refund": refund}], "emails_due_at": "2100-01-01T00:00:00Z"}
        conn.execute("SELECT FROM app.apply_bookings(%s)", [Jsonb(changes)])
    await shop.settle()
    assert balances(shop, tipped) == {}
    assert shop.rows("SELECT 1 FROM ledger_transactions WHERE event = 'tip_refunded' AND subject_id = %s", refund["id"])
    (order,) = (await user.get("/api/orders"))["orders"]
    assert (order["refundedCents"], [one["state"] for one in order["refunds"]]) == (1000, ["done"])


async def test_guru_reads_in_an_email_who_tipped(shop: SessionShop, tipped: GuruOwner, create_user: CreateUser) -> None:
    user = await create_user("Kind Kit")
    booked = await attended(shop, tipped, user)
    shop.pay((await tip(shop, user, booked))["url"])
    await shop.settle()
    await do_jobs(shop.database)
    (paid,) = shop.payments(tipped.guru)
    (email,) = shop.rows("SELECT subject, plain FROM dev_mailbox WHERE key = %s", f"tip-{paid['id']}")
    assert email["subject"] == "Ada Neighbor tipped you $10.00"
    assert "All of it is yours" in email["plain"]


async def test_refused_page_lets_the_person_try_again(
    shop: SessionShop, tipped: GuruOwner, create_user: CreateUser
) -> None:
    user = await create_user("Second Try Sy")
    booked = await attended(shop, tipped, user)
    shop.control("faults", match="POST /v1/checkout/sessions", do="status:400", times=1)
    assert (await tip(shop, user, booked))["state"] == "failed"
    again = await tip(shop, user, booked)
    assert (again["state"], bool(again["url"])) == ("open", True)
