"""The order of locks: calendar, booking, payment, ledger. Who waits for one has locked none that comes later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.settlement.rules import Source
from tenants.kit import clock, timeouts
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.billing.plan_shop import FAILS_LATER, PAYS
from tests.porchlight.bookings.api import CreateUser, NewGuru, free_starts
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_kept_cards import LATE
from tests.porchlight.factories import SeededGuru

# In the order in which they are locked.
ROWS = {
    "calendar": "SELECT FROM calendars WHERE tenant_id = %(tenant)s FOR UPDATE NOWAIT",
    "booking": "SELECT FROM bookings WHERE tenant_id = %(tenant)s AND id = %(booking)s FOR UPDATE NOWAIT",
    "payment": "SELECT FROM payments WHERE tenant_id = %(tenant)s AND booking_id = %(booking)s FOR UPDATE NOWAIT",
    "ledger": "SELECT FROM ledger_balances b JOIN ledger_accounts a ON a.id = b.account_id"
    " WHERE a.user_id = %(owner)s FOR UPDATE OF b NOWAIT",
}
ORDER = list(ROWS)
Values = dict[str, Any]
_WAITING = """
SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND pid <> %s"""


async def locked_early(shop: SessionShop, values: Values, held: str, work: Callable[[], Awaitable[Any]]) -> list[str]:
    """Return which later rows are locked while `work` waits for `held`, which another transaction has."""
    with psycopg.connect(shop.database.superuser_url) as holder:
        holder.execute(ROWS[held].replace(" NOWAIT", "").encode(), values)
        task = asyncio.ensure_future(work())
        with psycopg.connect(shop.database.superuser_url, autocommit=True) as looker:
            while not task.done():
                await asyncio.wait([task], timeout=0.01)
                if looker.execute(_WAITING, [holder.info.backend_pid]).fetchone() != (0,):
                    break
            else:
                holder.rollback()
                raise AssertionError(f"the work did not wait for the {held}: {task.result()}")
            found = [name for name in ORDER[ORDER.index(held) + 1 :] if _is_locked(looker, name, values)]
        holder.rollback()
        await task
    return found


def _is_locked(conn: psycopg.Connection[Any], name: str, values: Values) -> bool:
    try:
        with conn.transaction():
            conn.execute(ROWS[name].encode(), values)
    except psycopg.errors.LockNotAvailable:
        return True
    return False


async def _paid_page(shop: SessionShop, user: ApiUser, guru: SeededGuru) -> tuple[dict[str, Any], Values]:
    """Return a booking that was paid at Stripe before its event reached us."""
    booked = await shop.begin(user, guru)
    shop.pay_page(booked)
    (payment,) = [one for one in shop.payments(guru) if str(one["booking_id"]) == booked["id"]]
    return booked, {"tenant": guru.id, "booking": UUID(booked["id"]), "owner": payment["owner_id"]}


async def _earn(shop: SessionShop, user: ApiUser, guru: SeededGuru) -> None:
    """Let the guru have an account in the ledger, so that its row can be locked."""
    await shop.cancel(user, await shop.pay_for(user, guru))


@pytest.mark.parametrize("held", ["calendar", "booking", "payment"])
async def test_confirm_locks_in_order(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, held: str
) -> None:
    user = await create_user("Ordered Ode")
    await _earn(shop, user, paid_guru)
    _, values = await _paid_page(shop, user, paid_guru)

    assert await locked_early(shop, values, held, shop.settle) == []
    assert shop.payments(paid_guru)[-1]["state"] == "paid"


@pytest.mark.parametrize("held", ["calendar", "booking", "payment"])
@pytest.mark.parametrize("way", ["cancel", "give_up"])
async def test_request_locks_in_order(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, held: str, way: str
) -> None:
    user = await create_user("Ordered Ora")
    if way == "cancel":
        booked = await shop.pay_for(user, paid_guru)
    else:
        booked = await shop.begin(user, paid_guru)
    (payment,) = [one for one in shop.payments(paid_guru) if str(one["booking_id"]) == booked["id"]]
    values = {"tenant": paid_guru.id, "booking": UUID(booked["id"]), "owner": payment["owner_id"]}

    async def end() -> None:
        if way == "cancel":
            await shop.cancel(user, booked, settle=False)
        else:
            await user.request("DELETE", f"/api/bookings/{booked['id']}/payment")

    assert await locked_early(shop, values, held, end) == []
    now = await user.get(f"/api/bookings/{booked['id']}")
    assert now["status"] == ("canceled" if way == "cancel" else "expired")
    await shop.settle()


@pytest.mark.parametrize(
    ("way", "held"),
    [(way, held) for way in ("keep", "cancel", "charged", "declined", "paid_owed") for held in ORDER[:3]]
    + [("pay_owed", "calendar"), ("pay_owed", "payment")],  # the booking stays as it is
)
async def test_kept_card_locks_in_order(
    shop: SessionShop, new_guru: NewGuru, create_user: CreateUser, held: str, way: str
) -> None:
    guru, user = new_guru(**LATE), await create_user("Ordered Oz")
    shop.let_take_cards(guru)
    starts = await free_starts(shop.web, guru)
    await shop.cancel(user, await shop.pay_for(user, guru, starts[1]))
    booked = await shop.begin(user, guru, starts[0])
    shop.pay_page(booked, PAYS if way in ("keep", "cancel", "charged") else FAILS_LATER)
    (payment,) = [one for one in shop.payments(guru) if str(one["booking_id"]) == booked["id"]]
    values = {"tenant": guru.id, "booking": UUID(booked["id"]), "owner": payment["owner_id"]}
    path = f"/api/bookings/{booked['id']}/payment"

    async def cancel() -> None:
        await shop.cancel(user, booked, settle=False)

    async def pay() -> None:
        response = await user.request("POST", path)
        assert response.status_code == 200

    if way != "keep":
        await shop.settle()
    if way not in ("keep", "cancel"):
        await cancel()
    if way in ("pay_owed", "paid_owed"):
        await shop.settle()
    if way == "paid_owed":
        page = await shop.during(user.request("POST", path))
        shop.pay(page.json()["data"]["payment"]["url"])
    work: dict[str, Callable[[], Awaitable[Any]]] = {"cancel": cancel, "pay_owed": pay}
    with pytest.MonkeyPatch.context() as patch:  # the request waits for no page
        patch.setattr(timeouts, "current", replace(timeouts.current, billing_response_seconds=0.0))
        assert await locked_early(shop, values, held, work.get(way, shop.settle)) == []
    await shop.settle()
    states = {
        "keep": "kept", "cancel": "paid", "charged": "paid", "declined": "unpaid", "pay_owed": "open",
        "paid_owed": "paid",
    }  # fmt: skip
    assert (await user.get(f"/api/bookings/{booked['id']}"))["payment"]["state"] == states[way]


async def test_reversed_order_is_noticed(shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser) -> None:
    """A transaction that locks the payment before the calendar turns the tests above red."""
    user = await create_user("Reversed Rob")
    _, values = await _paid_page(shop, user, paid_guru)

    def lock_payment_first() -> None:
        with psycopg.connect(shop.database.superuser_url) as conn:
            for name in ("payment", "calendar"):
                conn.execute(ROWS[name].replace(" NOWAIT", "").encode(), values)

    async def work() -> None:
        await asyncio.to_thread(lock_payment_first)

    assert await locked_early(shop, values, "calendar", work) == ["payment"]
    await shop.settle()


async def test_cancel_and_confirm_at_once_agree(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    """Whichever of giving up and of the payment's news is first, the person has the session or their money."""
    for number in range(6):
        user = await create_user(f"Racing Ray {number}")
        booked, values = await _paid_page(shop, user, paid_guru)
        rule = shop.settlement.rules.objects
        (page,) = shop.rows("SELECT checkout_id FROM payments WHERE booking_id = %s", values["booking"])
        found = next(one for one in rule if one.path("x").startswith("/v1/checkout/sessions/x?expand[]=payment_intent"))
        fetched = await shop.stripe.fetch(found.path(page["checkout_id"]))

        def confirm(fetched: Any = fetched, found: Any = found, page: Any = page) -> None:
            with psycopg.connect(shop.database.service_url) as conn:
                found.apply(conn, page["checkout_id"], fetched, Source("", clock.now(), "", livemode=False))

        path = f"/api/bookings/{booked['id']}/payment"
        await asyncio.gather(asyncio.to_thread(confirm), user.request("DELETE", path))
        await shop.settle()
        now = await user.get(f"/api/bookings/{booked['id']}")
        outcome = (now["status"], now["payment"]["state"], now["payment"]["refundedCents"])
        assert outcome in {("confirmed", "paid", 0), ("expired", "paid", 4501)}
    assert shop.balances(values["owner"]).keys() <= {"guru_held"}
