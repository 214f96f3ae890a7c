"""Refunds and transfers that fail: findings of staff, who send them again."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.admin.named_keys import add_key
from porchlight.features.bookings.deadlines import complete_bookings
from porchlight.settlement.reconcile.run import reconcile
from tenants.kit.ids import new_id
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.payments.test_earnings import connect_account, finish
from tests.porchlight.factories import SeededGuru
from tests.porchlight.owner import GuruOwner

MONEY = "/api/admin/money"


@pytest.fixture
async def staff(shop: SessionShop) -> dict[str, str]:
    """The headers of a signed-in admin."""
    with psycopg.connect(shop.database.service_url) as conn:
        key = add_key(conn, f"Maya {new_id()}")
    return await sign_in_admin(shop.web, key)


async def send_again(shop: SessionShop, staff: dict[str, str], path: str, expect: int = 200) -> str:
    """Send something again. Return the code of the refusal, or ""."""
    response = await shop.web.post(f"{MONEY}/{path}/retries", headers=staff)
    assert response.status_code == expect, response.text
    return "" if expect == 200 else str(response.json()["error"]["code"])


async def findings(shop: SessionShop, staff: dict[str, str], subject: Any) -> list[tuple[str, int, str]]:
    """Return what staff see about a refund or a payment: kind, cents and state."""
    found = []
    for state in ("open", "gone"):
        page = (await shop.web.get(f"{MONEY}/findings", params={"state": state}, headers=staff)).json()["data"]
        found += [(one["kind"], one["cents"], state) for one in page["items"] if one["stripeId"] == str(subject)]
    return found


def refunds(shop: SessionShop, guru: SeededGuru) -> list[dict[str, Any]]:
    """Return a guru's refunds, the oldest first."""
    return shop.rows("SELECT * FROM refunds WHERE tenant_id = %s ORDER BY created_at, id", guru.id)


@pytest.mark.parametrize("way", ["refused", "failed later"])
async def test_refund_that_fails_is_sent_again_by_staff(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, staff: dict[str, str], way: str
) -> None:
    user = await create_user("Unlucky Ula")
    booked = await shop.pay_for(user, paid_guru)
    if way == "refused":
        shop.control("faults", match="POST /v1/refunds", do="status:400", times=1)
    await shop.cancel(user, booked)
    (first,) = refunds(shop, paid_guru)
    if way == "failed later":
        assert await findings(shop, staff, first["id"]) == []
        shop.control(f"refunds/{first['refund_id']}/fail")
        await shop.settle()
    assert await findings(shop, staff, first["id"]) == [("failed_refund", 4501, "open")]
    report = await reconcile(shop.database.service_url, shop.stripe, [])
    assert not [one for one in report.findings if one.kind == "failed_refund"]  # no difference from Stripe
    assert await findings(shop, staff, first["id"]) == [("failed_refund", 4501, "open")]
    assert await send_again(shop, staff, f"refunds/{first['id']}") == ""
    assert await send_again(shop, staff, f"refunds/{first['id']}", expect=409) == "already_sent_again"
    await shop.settle()
    assert await findings(shop, staff, first["id"]) == [("failed_refund", 4501, "gone")]
    _, again = refunds(shop, paid_guru)
    assert (again["state"], again["again_of"], again["amount_cents"]) == ("done", first["id"], 4501)
    (paid,) = shop.payments(paid_guru)
    assert (paid["refunded_cents"], shop.balances(paid["owner_id"])) == (4501, {})
    (audited,) = shop.rows("SELECT action FROM audit_log WHERE subject_id = %s", str(first["id"]))
    assert audited["action"] == "money.refund_again"
    shop.end_sessions(paid_guru)
    await shop.deliver_due()
    assert shop.payments(paid_guru)[0]["delivered_at"] is not None


async def test_refund_that_fails_again_is_found_again(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, staff: dict[str, str]
) -> None:
    user = await create_user("Twice Tom")
    booked = await shop.pay_for(user, paid_guru)
    shop.control("faults", match="POST /v1/refunds", do="status:400", times=2)
    await shop.cancel(user, booked)
    (first,) = refunds(shop, paid_guru)
    await send_again(shop, staff, f"refunds/{first['id']}")
    await shop.settle()
    assert await findings(shop, staff, first["id"]) == [("failed_refund", 4501, "open")]
    await send_again(shop, staff, f"refunds/{first['id']}")
    await shop.settle()
    assert [one["state"] for one in refunds(shop, paid_guru)] == ["failed", "failed", "done"]
    assert await findings(shop, staff, first["id"]) == [("failed_refund", 4501, "gone")]


async def test_refund_is_not_sent_again_while_disputed(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser, staff: dict[str, str]
) -> None:
    user = await create_user("Disputed Dee")
    booked = await shop.pay_for(user, paid_guru)
    shop.control("faults", match="POST /v1/refunds", do="status:400", times=1)
    await shop.cancel(user, booked)
    (first,) = refunds(shop, paid_guru)
    shop.control("disputes", charge=shop.payments(paid_guru)[0]["charge_id"])
    await shop.settle()
    assert await send_again(shop, staff, f"refunds/{first['id']}", expect=409) == "payment_disputed"
    page = (await shop.web.get(f"{MONEY}/disputes", headers=staff)).json()["data"]["items"]
    assert (page[0]["kind"], page[0]["guru"], page[0]["person"]) == ("session", paid_guru.label, user.email)


async def test_transfer_that_is_stuck_is_sent_again_by_staff(
    shop: SessionShop, new_owner: Any, create_user: CreateUser, staff: dict[str, str]
) -> None:
    seller: GuruOwner = await new_owner(payment="full")
    owner = shop.let_take_cards(seller.guru)
    await connect_account(shop, seller)
    await shop.pay_for(await create_user("Stuck Sue"), seller.guru)
    shop.control("faults", match="POST /v1/transfers", do="status:400", times=2)
    await finish(shop, seller.guru)
    (paid,) = shop.payments(seller.guru)
    for _ in range(2):
        assert await findings(shop, staff, paid["id"]) == [("stuck_transfer", 4051, "open")]
        assert await send_again(shop, staff, f"transfers/{paid['id']}") == ""
        assert await send_again(shop, staff, f"transfers/{paid['id']}", expect=409) == "already_sent_again"
        complete_bookings(shop.database.service_url)
        await shop.deliver_due()
    assert await findings(shop, staff, paid["id"]) == [("stuck_transfer", 4051, "gone")]
    assert shop.balances(owner) == {"guru_stripe": 4051}
    assert shop.payments(seller.guru)[0]["transfer_state"] == "done"


async def test_unknown_refund_and_transfer_are_not_found(shop: SessionShop, staff: dict[str, str]) -> None:
    for path in ("refunds", "transfers"):
        assert await send_again(shop, staff, f"{path}/{new_id()}", expect=404) == "not_found"
        response = await shop.web.post(f"{MONEY}/{path}/{new_id()}/retries")
        assert response.status_code == 401
