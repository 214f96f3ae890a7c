"""Staff's list of all payments by card, everything about one, and the overview of all money."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.money.card_payments import admin_queries
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru, seed_payment, seed_user
from tests.porchlight.money.ledger import new_subject

MONEY = "/api/admin/money"


async def _get(area: AdminArea, path: str = "", *, expect: int = 200, **params: Any) -> Any:
    response = await area.web.get(MONEY + path, params=params, headers=area.staff)
    assert response.status_code == expect, response.text
    return response.json()["data" if response.is_success else "error"]


@pytest.fixture
def guru(area: AdminArea) -> SeededGuru:
    """A guru whose seeded payments are left out."""
    with psycopg.connect(area.database.service_url) as conn:
        return seed_guru(conn, f"cents-{new_id().hex[-12:]}")


def _pay(area: AdminArea, guru: SeededGuru, **columns: Any) -> dict[str, Any]:
    """Create a payment of a new person, and return it with their email address."""
    booking = new_id()
    with psycopg.connect(area.database.service_url) as conn:
        person = seed_user(conn)
        email = f"{person.hex}@mail.example"
        conn.execute("UPDATE users SET email = %s WHERE user_id = %s", [email, person])
        values: dict[str, Any] = {"refunded_cents": 0, "fee_returned_cents": 0} | columns
        row_id = seed_payment(conn, guru, person, booking, **values)
        if not values["refunded_cents"]:
            conn.execute("DELETE FROM refunds WHERE payment_id = %s", [row_id])
    return {"id": str(row_id), "booking": str(booking), "person": person, "email": email}


async def test_card_payments_are_found_by_whole_ids(area: AdminArea, guru: SeededGuru) -> None:
    marks = {column: f"{start}_{new_id().hex}" for column, start in
             (("checkout_id", "cs"), ("intent_id", "pi"), ("charge_id", "ch"), ("transfer_id", "tr"))}  # fmt: skip
    paid = _pay(area, guru, refunded_cents=3750, fee_returned_cents=375, **marks)
    _pay(area, guru)
    refund = area.rows("SELECT id FROM refunds WHERE payment_id = %s", UUID(paid["id"]))[0][0]
    area.rows("UPDATE refunds SET refund_id = %s WHERE id = %s", f"re_{refund.hex}", refund)
    for search in (*marks.values(), f"re_{refund.hex}", paid["id"], paid["booking"], paid["email"].upper()):
        page = await _get(area, "/payments", search=f" {search} ")
        assert [one["id"] for one in page["items"]] == [paid["id"]], search
    for search in (marks["intent_id"][:-1], "pi_", "unknown@mail.example", "words", "%", str(new_id())):
        assert (await _get(area, "/payments", search=search))["items"] == []
    row = (await _get(area, "/payments", search=paid["id"]))["items"][0]
    assert (row["state"], row["person"], row["guruLabel"]) == ("partly_refunded", paid["email"], guru.label)
    assert (row["amountCents"], row["refundedCents"], row["feeCents"]) == (7500, 3750, 750)


async def test_card_payments_are_filtered_by_state(area: AdminArea, guru: SeededGuru) -> None:
    unpaid = {"state": "open", "paid_at": None}
    made = {
        "paid": _pay(area, guru), "open": _pay(area, guru, **unpaid),
        "refunded": _pay(area, guru, refunded_cents=7500, fee_returned_cents=750),
        "disputed": _pay(area, guru, disputed=True, disputed_cents=7500),
        "stuck": _pay(area, guru, transfer_state="stuck"),
        "failed": _pay(area, guru, refunded_cents=3750, fee_returned_cents=375),
        "ended": _pay(area, guru, **unpaid | {"state": "expired"}),
        "kept": _pay(area, guru, **unpaid | {"state": "kept", "mode": "hold"}),
        "charging": _pay(area, guru, **unpaid | {"state": "charging", "mode": "hold"}),
        "unpaid": _pay(area, guru, **unpaid | {"state": "unpaid", "mode": "hold"}),
        "released": _pay(area, guru, **unpaid | {"state": "released", "mode": "hold"}),
    }  # fmt: skip
    area.rows("UPDATE refunds SET state = 'failed' WHERE payment_id = %s", UUID(made["failed"]["id"]))
    names = {one["id"]: name for name, one in made.items()}

    async def found(**params: Any) -> set[str]:
        items = (await _get(area, "/payments", **params))["items"]
        return {names[one["id"]] for one in items if one["id"] in names}

    assert await found() == set(made)
    assert await found(state="open") == {"open", "charging"}
    assert await found(state="refunded") == {"refunded", "failed"}
    assert await found(state="disputed") == {"disputed"}
    assert await found(state="stuck") == {"stuck", "failed"}
    assert await found(state="paid") == set(made) - {"open", "ended", "kept", "charging", "unpaid", "released"}
    assert await found(state="open", search=made["paid"]["email"]) == set()
    rows = {names[one["id"]]: one for one in (await _get(area, "/payments"))["items"] if one["id"] in names}
    others = {"failed": "stuck", "charging": "open", "released": "ended"}
    assert {name: row["state"] for name, row in rows.items()} == {name: name for name in made} | others
    # The amount of a card that was never charged is only a limit.
    assert {name for name, row in rows.items() if row["amountCents"] == 0} == {"kept", "released"}


async def test_card_payments_have_pages(area: AdminArea, guru: SeededGuru) -> None:
    made = [_pay(area, guru)["id"] for _ in range(51)]
    first = await _get(area, "/payments")
    assert [one["id"] for one in first["items"]] == made[:0:-1]
    rest = await _get(area, "/payments", cursor=first["nextCursor"])
    assert rest["items"][0]["id"] == made[0]


async def test_card_payment_has_steps_postings_and_links(area: AdminArea, guru: SeededGuru) -> None:
    paid = _pay(area, guru, refunded_cents=3750, fee_returned_cents=375, delivered_at=clock.now(), group_id=new_id())
    together = _pay(area, guru)  # of the same charge, so its postings are another payment's
    assert guru.owner is not None
    with psycopg.connect(area.database.service_url) as conn:
        cards, fees = (get_or_create_account(conn, kind) for kind in ("card_network", "platform_fees"))
        held = get_or_create_account(conn, "guru_held", user_id=guru.owner)
        payable = get_or_create_account(conn, "guru_payable", user_id=guru.owner)
        charge = f"ch_{new_id().hex}"
        for one in (paid, together):
            conn.execute("UPDATE payments SET charge_id = %s WHERE id = %s", [charge, one["id"]])
            legs = [Leg(cards, held, 6750), Leg(cards, fees, 750)]
            post(conn, "paid", Subject("payment", one["id"]), legs, stripe_object=charge)
        row = conn.execute("SELECT id FROM refunds WHERE payment_id = %s", [paid["id"]]).fetchone()
        assert row is not None
        post(conn, "refunded", Subject("refund", str(row[0])), [Leg(held, cards, 3375), Leg(fees, cards, 375)])
        post(conn, "delivered", Subject("booking", paid["booking"]), [Leg(held, payable, 3375)])
    found = await _get(area, f"/payments/{paid['id']}")
    assert (found["feeKeptCents"], found["shareCents"], found["payment"]["state"]) == (375, 3375, "partly_refunded")
    assert {step["kind"] for step in found["steps"]} == {"began", "paid", "refund", "delivered"}
    assert [step["note"] for step in found["steps"] if step["kind"] == "refund"] == ["canceled, done"]
    assert sorted(one["event"] for one in found["postings"]) == ["delivered", "paid", "refunded"]
    of_payment = next(one for one in found["postings"] if one["event"] == "paid")
    assert of_payment["legs"] == [
        {"debit": "card_network", "credit": "guru_held", "cents": 6750},
        {"debit": "card_network", "credit": "platform_fees", "cents": 750},
    ]
    # All that was paid is with someone: it went back, or it is the platform's or the guru's.
    payment = found["payment"]
    assert payment["amountCents"] == payment["refundedCents"] + found["feeKeptCents"] + found["shareCents"]
    (intent,) = [one for one in found["stripe"] if one["id"].startswith("pi_")]
    assert intent["url"] == f"https://dashboard.stripe.com/test/payments/{intent['id']}"
    await _get(area, f"/payments/{new_id()}", expect=404)
    await _get(area, "/payments/x", expect=404)


async def test_money_overview_counts_each_cent(area: AdminArea, guru: SeededGuru) -> None:
    before = await _get(area, "/overview")
    _pay(area, guru, disputed=True, disputed_cents=7500)
    _pay(area, guru, transfer_state="stuck", delivered_at=clock.now())
    _pay(area, guru, transfer_state="requested", transferred_cents=6000, delivered_at=clock.now())
    _pay(area, guru, delivered_at=clock.now())
    returned = _pay(area, guru, refunded_cents=3750, fee_returned_cents=375)
    row = {
        "tenant_id": guru.id, "id": new_id(), "payment_id": UUID(returned["id"]), "person_id": returned["person"],
        "amount_cents": 1000, "fee_cents": 100, "reason": "goodwill", "actor": "guru", "after_delivery": False,
    }  # fmt: skip
    with psycopg.connect(area.database.service_url) as conn:
        insert_row(conn, "refunds", row)
        cards = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=guru.owner)
        owed, debt = (get_or_create_account(conn, "guru_payable", user_id=user) for user in (guru.owner, new_id()))
        package = get_or_create_account(conn, "package_balance", user_id=new_id())
        gift = get_or_create_account(conn, "gift_card_balance", user_id=new_id())
        post(conn, "paid", new_subject("payment"), [Leg(cards, held, 11)])
        post(conn, "tip_paid", new_subject("payment"), [Leg(cards, owed, 22)])
        post(conn, "refunded", new_subject("refund"), [Leg(debt, cards, 33)])
        post(conn, "package_sold", new_subject("payment"), [Leg(cards, package, 44)])
        post(conn, "gift_card_sold", new_subject("payment"), [Leg(cards, gift, 55)])
    after = await _get(area, "/overview")

    def change(name: str) -> Any:
        if isinstance(after[name], dict):
            return (after[name]["count"] - before[name]["count"], after[name]["cents"] - before[name]["cents"])
        return after[name] - before[name]

    assert {name: change(name) for name in after} == {
        "heldCents": 11, "owedCents": 22, "debtCents": 33, "packageCents": 44, "giftCardCents": 55, "creditCents": 0,
        "disputed": (1, 7500), "refundedCents": 3750, "feeCents": 5 * 750 - 375, "waitingRefunds": (1, 1000),
        "waitingTransfers": (2, 6000 + 6750), "stuckTransfers": (1, 6750),
    }  # fmt: skip


# The first page and every way to search, as the server reads them.
_READS: list[tuple[str, dict[str, str]]] = [
    *((condition, {}) for name, condition in admin_queries._STATES.items() if name != "paid"),
    *((condition, {"search": "pi_1"}) for condition in admin_queries._STRIPE_IDS.values()),
    (admin_queries._OF_ID, {"search": "01a23053-a5b2-745b-a864-e8a71462b5a8"}),
    (admin_queries._OF_PERSON, {"search": "ada@mail.example"}),
    ("p.id < '01a23053-a5b2-745b-a864-e8a71462b5a8'", {}),
]


@pytest.mark.parametrize(("condition", "params"), _READS)
def test_card_payments_read_an_index(area: AdminArea, condition: str, params: dict[str, str]) -> None:
    """No page reads all payments: among a million, rare states and single ids are found at once."""
    with psycopg.connect(area.database.service_url) as conn:
        conn.execute("SET enable_seqscan = off")
        query = f"EXPLAIN {admin_queries._SELECT} WHERE {condition} ORDER BY p.id DESC LIMIT 51"
        plan = "\n".join(row[0] for row in conn.execute(query.encode(), params).fetchall())
    assert "Seq Scan on payments" not in plan, plan
    assert "Seq Scan on refunds" not in plan, plan
