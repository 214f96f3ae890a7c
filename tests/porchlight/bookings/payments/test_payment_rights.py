"""Rights on payments: to see them, and to write about them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tenants.kit.ids import new_id
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru
from tests.tenants.isolation import set_tenant


async def test_others_see_nothing_of_payments(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user, other = await create_user("Private Pia"), await create_user("Nosy Noa")
    booked = await shop.begin(user, paid_guru)
    path = f"/api/bookings/{booked['id']}/payment"
    assert (await other.request("DELETE", path)).status_code == 404
    assert (await other.request("POST", path)).status_code == 404
    shop.pay_page(booked)
    await shop.settle()
    await shop.cancel(user, booked)
    assert (await other.get("/api/orders"))["orders"] == []
    with psycopg.connect(shop.database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, false)", [str(other.user_id)])
        conn.execute("SELECT set_config('app.tenant_id', %s, false)", [str(paid_guru.id)])
        for table in ("payments", "refunds"):
            assert conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                conn.execute(f"DELETE FROM {table}".encode())


def _apply(
    shop: SessionShop, guru: SeededGuru, person: UUID, payments: list[dict[str, Any]], changed: Any = ()
) -> None:
    with psycopg.connect(shop.database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(person)])
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
        changes = {"bookings": list(changed), "payments": payments, "emails_due_at": "2100-01-01T00:00:00Z"}
        conn.execute("SELECT FROM app.apply_bookings(%s)", [Jsonb(changes)])


async def test_requests_cannot_mark_paid_nor_refund_at_will(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    """A wrong decision in a request cannot say that Stripe was paid, nor return money of a booking that stays."""
    user = await create_user("Crafty Cy")
    booked = await shop.begin(user, paid_guru)
    (open_one,) = shop.payments(paid_guru)
    paid = {"id": str(open_one["id"]), "intent_id": "pi", "charge_id": "ch", "card_brand": "", "card_last4": ""}
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        _apply(shop, paid_guru, user.user_id, [{"paid": paid}])
    shop.pay_page(booked)
    await shop.settle()
    refund = {
        "id": str(open_one["id"]), "payment_id": str(open_one["id"]), "amount_cents": 4501, "fee_cents": 0,
        "reason": "canceled", "actor": "person",
    }  # fmt: skip
    note = {"id": booked["id"], "was": "confirmed", "values": {"note": "More words."}}
    for changed in ([], [note]):  # of a booking that stays as it is
        with pytest.raises(psycopg.errors.NoDataFound):
            _apply(shop, paid_guru, user.user_id, [{"refund": refund}], changed)
    end = {"status": "canceled", "ended_by": "person", "owed_cents": 1, "ended_at": "2027-01-01T00:00:00Z"}
    with pytest.raises(psycopg.errors.NoDataFound):  # more than is not owed
        _apply(shop, paid_guru, user.user_id, [{"refund": refund}], [note | {"values": end}])


async def test_goodwill_and_sending_again_need_their_side(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    """A person returns nothing for goodwill, also of a booking that they end; a guru acts as the guru only."""
    user = await create_user("Generous Gil")
    booked = await shop.pay_for(user, paid_guru)
    (paid,) = shop.payments(paid_guru)
    refund = {
        "id": str(new_id()), "payment_id": str(paid["id"]), "amount_cents": 100, "fee_cents": 10, "reason": "goodwill",
        "actor": "guru",
    }  # fmt: skip
    end = {"status": "canceled", "ended_by": "person", "owed_cents": 0, "ended_at": "2027-01-01T00:00:00Z"}
    ended = [{"id": booked["id"], "was": "confirmed", "values": end}]
    with pytest.raises(psycopg.errors.NoDataFound):
        _apply(shop, paid_guru, user.user_id, [{"refund": refund}], ended)
    again = refund | {"reason": "canceled", "again_of": str(new_id())}
    with pytest.raises(psycopg.errors.NoDataFound):
        _apply(shop, paid_guru, user.user_id, [{"refund": again}], ended)

    def as_guru(**changes: Any) -> None:
        with psycopg.connect(shop.database.app_url) as conn:
            set_tenant(conn, paid_guru.id, acting=True)
            values = {"payments": [{"refund": refund | changes}], "emails_due_at": "2100-01-01T00:00:00Z"}
            conn.execute("SELECT FROM app.apply_bookings(%s)", [Jsonb(values)])

    for changes in ({"actor": "person"}, {"actor": "staff"}, {"again_of": str(new_id())}, {"amount_cents": 4502}):
        with pytest.raises(psycopg.errors.NoDataFound):
            as_guru(**changes)
    as_guru()
    assert shop.payments(paid_guru)[0]["refunded_cents"] == 100


async def test_account_with_open_payment_is_kept(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Leaving Lee")
    await shop.begin(user, paid_guru)
    for person in (user.user_id, shop.payments(paid_guru)[0]["owner_id"]):
        with psycopg.connect(shop.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(person)])
            assert conn.execute("SELECT app.open_money()").fetchone() == ("payment",)
