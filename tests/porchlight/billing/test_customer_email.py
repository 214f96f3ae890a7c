"""A new email address reaches the customer at the fake Stripe, also after cut connections and in any order."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.payment_ports import Refusal
from porchlight.settlement.outbox import claim, record
from tests.fixtures.databases import Database
from tests.porchlight.billing.plan_shop import Buyer, PlanShop

KIND = "billing_customer_email"


def _move(database: Database, buyer: Buyer, email: str) -> None:
    """Change the address as the user, as the app does when a token has another one."""
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(buyer.user_id)])
        assert conn.execute("UPDATE users SET email = %s WHERE user_id = %s", [email, buyer.user_id]).rowcount == 1


def _customer(shop: PlanShop, buyer: Buyer) -> dict[str, str]:
    (stored,) = shop.rows("SELECT customer_id FROM billing_customers WHERE user_id = %s", buyer.user_id)
    (found,) = shop.objects("customer", id=stored["customer_id"])
    return found


def _writes(shop: PlanShop, buyer: Buyer) -> list[tuple[str, str | None]]:
    path = f"/v1/customers/{_customer(shop, buyer)['id']}"
    query = (
        "SELECT state, params->>'email' AS email FROM stripe_outbox WHERE kind = %s AND path = %s ORDER BY created_at"
    )
    return [(row["state"], row["email"]) for row in shop.rows(query, KIND, path)]


async def test_new_email_reaches_stripe(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    assert _customer(shop, ada)["email"] == ada.email
    _move(database, ada, ada.email)  # no change
    assert _writes(shop, ada) == []
    _move(database, ada, "ada.new@mail.example")
    await shop.settle()
    assert _customer(shop, ada)["email"] == "ada.new@mail.example"
    assert _writes(shop, ada) == [("done", None)]  # an ended write has no address


async def test_new_email_without_a_plan_sends_nothing(shop: PlanShop, ben: Buyer, database: Database) -> None:
    before = shop.rows("SELECT count(*) FROM stripe_outbox")
    _move(database, ben, "ben.new@mail.example")
    assert shop.rows("SELECT count(*) FROM stripe_outbox") == before


async def test_email_changed_while_customer_is_made(shop: PlanShop, ada: Buyer, database: Database) -> None:
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ada.user_id)])
        conn.execute("SELECT app.own_billing_customer()")
    _move(database, ada, "ada.early@mail.example")
    await shop.settle()
    assert _customer(shop, ada)["email"] == "ada.early@mail.example"


async def test_late_answer_of_first_change_is_corrected(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    _move(database, ada, "first@mail.example")
    _move(database, ada, "second@mail.example")
    with psycopg.connect(database.service_url) as conn:
        first = "kind = %s AND state = 'ready' AND params->>'email' = 'first@mail.example'"
        held = conn.execute(f"UPDATE stripe_outbox SET due_at = 'infinity' WHERE {first}", [KIND])
        assert held.rowcount == 1
    await shop.settle()
    with psycopg.connect(database.service_url) as conn:
        conn.execute(f"UPDATE stripe_outbox SET due_at = app.now() WHERE {first}", [KIND])
    await shop.settle()
    assert _customer(shop, ada)["email"] == "second@mail.example"


@pytest.mark.parametrize("fault", ["drop_after_commit", "drop_before"])
async def test_email_with_cut_connection_arrives(shop: PlanShop, ada: Buyer, database: Database, fault: str) -> None:
    await shop.buy(ada, "skill-sharer")
    customer = _customer(shop, ada)["id"]
    shop.control("faults", match=f"POST /v1/customers/{customer}", do=fault, times=1)
    _move(database, ada, "ada.cut@mail.example")
    await shop.settle()
    with psycopg.connect(database.service_url) as conn:
        # Later, the same key again; after 20 hours a search.
        conn.execute("UPDATE stripe_outbox SET due_at = app.now(), lookup = %s WHERE state = 'unknown'",
                     [fault == "drop_after_commit"])  # fmt: skip
    await shop.settle()
    assert _writes(shop, ada) == [("done", None)]
    assert _customer(shop, ada)["email"] == "ada.cut@mail.example"


async def test_deleted_account_leaves_no_email_in_writes(shop: PlanShop, ada: Buyer, database: Database) -> None:
    await shop.buy(ada, "skill-sharer")
    _move(database, ada, "ada.gone@mail.example")
    await shop.settle()
    response = await ada.web.delete("/api/auth/account", headers={"authorization": f"Bearer {ada.token}"})
    assert response.status_code == 200, response.text
    await shop.settle()
    for email in (ada.email, "ada.gone@mail.example"):
        assert shop.rows("SELECT kind FROM stripe_outbox WHERE params::text LIKE '%%' || %s || '%%'", email) == []


async def test_refused_write_keeps_no_email(shop: PlanShop, ada: Buyer, database: Database) -> None:
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ada.user_id)])
        conn.execute("SELECT app.own_billing_customer()")
    with psycopg.connect(database.service_url) as conn:
        row = claim(conn, "2025-01-01")
        assert row is not None
        assert row.params["email"] == ada.email
        refusal = Refusal("email_invalid", f"Invalid email address: {ada.email.upper()}")
        assert record(conn, shop.settlement.rules, row, refusal)
    query = "SELECT params ? 'email' AS has_email, error_message FROM stripe_outbox WHERE id = %s"
    assert [dict(found) for found in shop.rows(query, row.id)] == [
        {"has_email": False, "error_message": "Invalid email address: ***"}
    ]
