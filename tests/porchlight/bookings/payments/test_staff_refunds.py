"""Refunds that staff make: bounded by what is left, recorded, told to both sides, and never twice."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.contracts import Staff
from porchlight.features.bookings.refunds.admin_actions import refund_payment
from porchlight.features.bookings.refunds.schemas import StaffRefundPayload
from porchlight.money.adjustment_rules import NamedKeyRequired
from tenants.kit.ids import new_id
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, execute
from tests.porchlight.bookings.payments.package_shop import buy, finish_sessions, sell, use
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account
from tests.porchlight.bookings.payments.test_failed_payments import MONEY, staff
from tests.porchlight.bookings.payments.test_session_disputes import dispute
from tests.porchlight.owner import GuruOwner

__all__ = ["staff"]
Headers = dict[str, str]


async def post_refund(
    shop: SessionShop, staff: Headers, payment_id: Any, cents: int, kept: int, *, key: str = ""
) -> httpx.Response:
    body = {"amountCents": cents, "keptCents": kept, "reason": "The room was closed."}
    headers = staff | ({"idempotency-key": key} if key else {})
    return await shop.web.post(f"{MONEY}/payments/{payment_id}/refunds", json=body, headers=headers)


def code_of(response: httpx.Response) -> str:
    return "" if response.is_success else str(response.json()["error"]["code"])


async def test_staff_refund_takes_both_shares(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, staff: Headers
) -> None:
    user = await create_user("Complaining Cat")
    booked = await shop.pay_for(user, seller.guru)
    (paid,) = shop.payments(seller.guru)
    details = (await shop.web.get(f"{MONEY}/payments/{paid['id']}", headers=staff)).json()["data"]
    assert details["refundableCents"] == 4501
    answer = await post_refund(shop, staff, paid["id"], 2000, 4501)
    assert answer.json()["data"] == {"paymentId": str(paid["id"]), "keptCents": 2501}
    await shop.settle()
    assert shop.balances(paid["owner_id"]) == {"guru_held": 2251}
    (order,) = (await user.get("/api/orders"))["orders"]
    assert [(one["reason"], one["amountCents"], one["state"]) for one in order["refunds"]] == [
        ("support", 2000, "done")
    ]
    (entry,) = shop.rows("SELECT action, details FROM audit_log WHERE subject_id = %s", str(paid["id"]))
    assert (entry["action"], entry["details"]["cents"]) == ("money.refund", 2000)
    console = await seller.call("GET", f"/bookings/{booked['id']}")
    assert console["payment"]["refundedCents"] == 2000


async def test_both_sides_read_that_staff_refunded(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, staff: Headers
) -> None:
    execute(shop.database, "UPDATE users SET email_verified = true WHERE user_id = %s", seller.guru.owner)
    await shop.pay_for(await create_user("Reading Ron"), seller.guru)
    await do_jobs(shop.database)
    (paid,) = shop.payments(seller.guru)
    await post_refund(shop, staff, paid["id"], 2000, 4501)
    await do_jobs(shop.database)
    (refund,) = shop.rows("SELECT id FROM refunds WHERE payment_id = %s", paid["id"])
    sent = shop.rows("SELECT subject, plain FROM dev_mailbox WHERE key LIKE %s", f"refund-{refund['id']}%")
    assert [one["subject"].startswith("Porchlight returned $20.00 to") for one in sent] == [True, True]
    assert all("Porchlight wrote" in one["plain"] and "The room was closed." in one["plain"] for one in sent)


async def test_staff_refund_twice_counts_once(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, staff: Headers
) -> None:
    await shop.pay_for(await create_user("Doubled Dot"), seller.guru)
    (paid,) = shop.payments(seller.guru)
    answers = await asyncio.gather(
        *(post_refund(shop, staff, paid["id"], 2000, 4501, key="one") for _ in range(10)),
        *(post_refund(shop, staff, paid["id"], 2000, 4501) for _ in range(10)),
    )
    await shop.settle()
    # Under one key it is one refund; the others saw cents that were gone.
    assert {code_of(one) for one in answers} <= {"", "refund_changed"}
    assert shop.payments(seller.guru)[0]["refunded_cents"] == 2000
    assert code_of(await post_refund(shop, staff, paid["id"], 100, 2501, key="one")) == "key_reused"


@pytest.mark.parametrize(
    ("cents", "kept", "expected"), [(4502, 4501, "refund_too_large"), (100, 4500, "refund_changed")]
)
async def test_staff_refund_beyond_what_is_left_is_refused(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, staff: Headers, cents: int, kept: int, expected: str
) -> None:
    await shop.pay_for(await create_user("Greedy Gus"), seller.guru)
    (paid,) = shop.payments(seller.guru)
    assert code_of(await post_refund(shop, staff, paid["id"], cents, kept)) == expected
    assert shop.rows("SELECT 1 FROM refunds WHERE tenant_id = %s", seller.guru.id) == []


async def test_disputed_payment_is_left_to_the_bank(
    shop: SessionShop, seller: GuruOwner, create_user: CreateUser, staff: Headers
) -> None:
    await shop.pay_for(await create_user("Disputing Dov"), seller.guru)
    dispute(shop, seller)
    await shop.settle()
    (paid,) = shop.payments(seller.guru)
    assert code_of(await post_refund(shop, staff, paid["id"], 100, 4501)) == "payment_disputed"


async def test_shared_key_refunds_nothing(shop: SessionShop, seller: GuruOwner, create_user: CreateUser) -> None:
    await shop.pay_for(await create_user("Shared Shea"), seller.guru)
    (paid,) = shop.payments(seller.guru)
    shared = Staff(session_id=new_id(), key_name="key-12345678", is_shared=True)
    payload = StaffRefundPayload.model_validate({"amountCents": 100, "keptCents": 4501, "reason": "Closed."})
    with psycopg.connect(shop.database.service_url) as conn, pytest.raises(NamedKeyRequired):
        refund_payment(conn, shared, paid["id"], payload, "one")


async def test_package_session_is_refunded_not_the_package(
    shop: SessionShop, new_owner: Any, create_user: CreateUser, staff: Headers
) -> None:
    owner: GuruOwner = await new_owner()
    shop.let_take_cards(owner.guru)
    await connect_account(shop, owner)
    user, package = await create_user("Packed Pam"), await sell(owner)
    bought = await buy(shop, user, owner, package)
    await use(shop, user, owner, bought["grantId"])
    await finish_sessions(shop, owner)
    whole, session = shop.payments(owner.guru)
    assert code_of(await post_refund(shop, staff, whole["id"], 100, 15_001)) == "package_refund"
    assert code_of(await post_refund(shop, staff, session["id"], 5000, 5000)) == ""
    await shop.settle()
    assert shop.balances(user.user_id) == {"package_balance": 15_001}
    assert shop.balances(whole["owner_id"]) == {"guru_payable": -4500, "guru_stripe": 4500}
