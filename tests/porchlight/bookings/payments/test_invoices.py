"""Invoices of orders, made out to a company: numbers, corrections, credit notes and who sees them."""

from __future__ import annotations

import asyncio
import itertools
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pypdfium2
import pytest

from porchlight.features.bookings.payments.invoices.invoice import InvoiceText, Party
from porchlight.features.bookings.payments.invoices.pdf import render_invoice
from porchlight.features.bookings.payments.invoices.retention import INVOICE_TTL, forget_invoices
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru, insert_row, seed_booking, seed_guru, seed_payment
from tests.porchlight.settlement.both_sides import SettableClock

ACME = {"name": "Acme Inc.", "address": "1 Main St\nDenver, CO 80202", "taxId": "12-3456789"}
OTHER = {"name": "Other LLC", "address": "2 Main St", "taxId": ""}
DETAILS = {"name": "Rosa Maria Delgado", "address": "9 Elm St\nDenver, CO 80205", "tax_id": "98-7654321"}


_days = itertools.count(100)  # a guru has one session at a time


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(str(page.get_textpage().get_text_bounded()) for page in document)


async def invoice(user: ApiUser, order: object, company: dict[str, str] = ACME, status: int = 201) -> dict[str, Any]:
    """Ask for an invoice of an order. Return the documents, or the error."""
    response = await user.request("POST", f"/api/orders/{order}/invoices", json=company)
    assert response.status_code == status, response.text
    body: dict[str, Any] = response.json()
    found: dict[str, Any] = body["data"] if response.is_success else body["error"]
    return found


async def pdf_of(user: ApiUser, document: dict[str, Any]) -> str:
    response = await user.request("GET", f"/api/invoices/{document['id']}/invoice.pdf")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    return text_of(response.content)


def seed_order(database: Database, guru: SeededGuru, user: ApiUser) -> UUID:
    """Create a payment of a user that arrived and was not refunded."""
    with psycopg.connect(database.service_url) as conn:
        booking = seed_booking(conn, guru, user.user_id, days_ahead=next(_days))
        order = seed_payment(conn, guru, user.user_id, booking, refunded_cents=0, fee_returned_cents=0)
        conn.execute("DELETE FROM refunds WHERE payment_id = %s", [order])
    return order


@pytest.fixture
def seller(database: Database) -> SeededGuru:
    """A guru with invoice details."""
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"seller-{new_id().hex[-12:]}")
        conn.execute(
            "UPDATE invoice_details SET name = %s, address = %s, tax_id = %s WHERE tenant_id = %s",
            [*DETAILS.values(), guru.id],
        )
    return guru


def test_invoice_pdf_is_inert_and_holds_long_words() -> None:
    long = "Préparation des légumes d’été, 料理 & Söhne <script>alert(1)</script> " * 3
    seller, buyer = Party(long, "9 Elm St\nDenver", "98-7"), Party("Acme (Inc.)\\", "x" * 500, "=1+1")
    day = date(2026, 2, 3)
    invoice = InvoiceText("2026-0007", "invoice", "", day, day, day, seller, buyer, long, 999_999_99)
    content = render_invoice(invoice)
    text = text_of(content)
    for words in ("Invoice 2026-0007", "February 3, 2026", "<script>", "Acme (Inc.)\\", "Tax ID: =1+1", "$999,999.99"):
        assert words in text
    assert b"/JavaScript" not in content
    assert b"/URI" not in content
    assert render_invoice(invoice) == content


def test_invoice_pdf_of_many_lines_has_more_pages() -> None:
    day, seller = date(2026, 2, 3), Party("Rosa", "", "")
    buyer = Party("Acme", "\n".join(["line"] * 240), "")
    content = render_invoice(InvoiceText("2026-0001", "invoice", "", day, day, day, seller, buyer, "Lesson", 100))
    assert len(pypdfium2.PdfDocument(content)) > 1
    assert text_of(content).count("line") == 240


async def test_invoice_of_paid_session_is_issued_once(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Invoice Ina")
    booked = await shop.begin(user, paid_guru)
    order = booked["payment"]["id"]
    await invoice(user, order, status=404)  # not paid yet
    shop.pay_page(booked)
    await shop.settle()
    (first,) = (await invoice(user, order))["invoices"]
    assert (first["kind"], first["amountCents"], first["corrects"]) == ("invoice", 4501, None)
    again = await invoice(user, order)
    assert [one["id"] for one in again["invoices"]] == [first["id"]]
    assert again["company"] == ACME  # remembered
    text = await pdf_of(user, first)
    for words in (f"Invoice {first['number']}", "Acme Inc.", "Denver, CO 80202", "12-3456789", "$45.01"):
        assert words in text
    assert user.email not in text
    # Another company gets a correction that names the first one, and what goes back a credit note.
    correction = (await invoice(user, order, OTHER))["invoices"][0]
    assert (correction["kind"], correction["corrects"]) == ("correction", first["number"])
    assert f"Replaces invoice {first['number']}" in await pdf_of(user, correction)
    await shop.cancel(user, booked)
    credit = (await invoice(user, order, OTHER))["invoices"][0]
    assert (credit["kind"], credit["amountCents"], credit["corrects"]) == ("credit_note", 4501, correction["number"])
    assert "-$45.01" in await pdf_of(user, credit)
    assert len((await invoice(user, order, ACME))["invoices"]) == 3
    assert await pdf_of(user, first) == text  # as it was issued


async def test_refund_on_its_way_is_not_credited_yet(
    database: Database, seller: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Waits Wim")
    order = seed_order(database, seller, user)
    await invoice(user, order)
    with psycopg.connect(database.service_url) as conn:
        refund = {
            "tenant_id": seller.id, "id": new_id(), "payment_id": order, "person_id": user.user_id, "fee_cents": 0,
            "amount_cents": 2500, "reason": "goodwill", "actor": "guru", "after_delivery": False,
        }  # fmt: skip
        insert_row(conn, "refunds", refund)
    assert len((await invoice(user, order))["invoices"]) == 1
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE refunds SET state = 'done' WHERE id = %s", [refund["id"]])
    credit = (await invoice(user, order))["invoices"][0]
    assert (credit["kind"], credit["amountCents"]) == ("credit_note", 2500)


async def test_invoice_of_returned_payment_is_refused(
    database: Database, seller: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("All Back Abe")
    order = seed_order(database, seller, user)
    with psycopg.connect(database.service_url) as conn:
        refund = {
            "tenant_id": seller.id, "id": new_id(), "payment_id": order, "person_id": user.user_id, "fee_cents": 750,
            "amount_cents": 7500, "reason": "canceled", "actor": "guru", "after_delivery": False, "state": "done",
        }  # fmt: skip
        insert_row(conn, "refunds", refund)
    assert (await invoice(user, order, status=409))["code"] == "nothing_to_invoice"


async def test_parallel_invoices_are_numbered_without_gaps(
    database: Database, seller: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Parallel Pat")
    orders = [seed_order(database, seller, user) for _ in range(50)]
    results = await asyncio.gather(*(invoice(user, order) for order in orders))
    year = clock.now().year
    numbers = sorted(one["number"] for result in results for one in result["invoices"])
    assert numbers == [f"{year}-{number:04d}" for number in range(1, 51)]


async def test_parallel_requests_of_one_order_issue_one(
    database: Database, seller: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Twice Tia")
    order = seed_order(database, seller, user)
    results = await asyncio.gather(*(invoice(user, order) for _ in range(12)))
    assert len({one["id"] for result in results for one in result["invoices"]}) == 1


async def test_invoice_numbers_begin_anew_each_year(
    database: Database, seller: SeededGuru, create_user: CreateUser, product_clock: SettableClock
) -> None:
    """By the day at the guru, and each guru has numbers of their own."""
    user = await create_user("Yearly Yan")
    with psycopg.connect(database.service_url) as conn:
        other = seed_guru(conn, f"other-{new_id().hex[-12:]}")
    first = [(await invoice(user, seed_order(database, guru, user)))["invoices"][0] for guru in (seller, seller, other)]
    assert [one["number"].split("-")[1] for one in first] == ["0001", "0002", "0001"]
    product_clock.advance(timedelta(days=366))
    later = (await invoice(user, seed_order(database, seller, user)))["invoices"][0]
    assert later["number"] == f"{int(first[0]['number'][:4]) + 1}-0001"


async def test_invoice_without_details_names_the_site(
    database: Database, seller: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Details Dot")
    text = await pdf_of(user, (await invoice(user, seed_order(database, seller, user)))["invoices"][0])
    assert "Rosa Maria Delgado" in text
    assert "Tax ID: 98-7654321" in text
    with psycopg.connect(database.service_url) as conn:
        plain = seed_guru(conn, f"plain-{new_id().hex[-12:]}")
        conn.execute("DELETE FROM invoice_details WHERE tenant_id = %s", [plain.id])
    text = await pdf_of(user, (await invoice(user, seed_order(database, plain, user)))["invoices"][0])
    assert f"Guru {plain.mark}" in text


async def test_invoice_is_only_for_its_parties(database: Database, seller: SeededGuru, create_user: CreateUser) -> None:
    user, other = await create_user("Own Ona"), await create_user("Nosy Nia")
    order = seed_order(database, seller, user)
    (document,) = (await invoice(user, order))["invoices"]
    await invoice(other, order, status=404)
    for path in (f"/api/invoices/{document['id']}/invoice.pdf", f"/api/orders/{order}/invoices"):
        response = await other.request("GET", path)
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")
    # A person's transaction cannot issue for another one's payment, nor write an invoice.
    with psycopg.connect(database.app_url) as conn:
        settings = "SELECT set_config('app.tenant_id', %s, true), set_config('app.user_id', %s, true)"
        conn.execute(settings, [str(seller.id), str(other.user_id)])
        billed = f'{{"id": "{new_id()}", "payment_id": "{order}", "kind": "invoice", "amount_cents": 1, "year": 2026}}'
        with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
            conn.execute("SELECT app.issue_invoice(%s)", [billed])
        for change in ("UPDATE invoices SET amount_cents = 1", "DELETE FROM invoices"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                conn.execute(change.encode())


@pytest.mark.parametrize(
    "change",
    ["SET amount_cents = 1", "SET number = 99", "SET buyer_name = 'Another'", "SET buyer_name = buyer_address", None],
)
async def test_issued_invoice_never_changes(
    database: Database, seller: SeededGuru, create_user: CreateUser, change: str | None
) -> None:
    user = await create_user("Fixed Fay")
    (document,) = (await invoice(user, seed_order(database, seller, user)))["invoices"]
    statement = f"UPDATE invoices {change} WHERE id = %s" if change else "DELETE FROM invoices WHERE id = %s"
    with psycopg.connect(database.superuser_url) as conn, pytest.raises(psycopg.IntegrityError, match="never changes"):
        conn.execute(statement.encode(), [document["id"]])


async def test_invoice_words_of_deleted_account_go_after_years(
    database: Database, seller: SeededGuru, create_user: CreateUser, product_clock: SettableClock
) -> None:
    user = await create_user("Leaves Lea")
    (document,) = (await invoice(user, seed_order(database, seller, user)))["invoices"]
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [user.user_id])
        query = "SELECT buyer_name, seller_name, amount_cents FROM invoices WHERE id = %s"
        forget_invoices(conn)
        assert conn.execute(query, [document["id"]]).fetchone() == ("Acme Inc.", "Rosa Maria Delgado", 7500)
        product_clock.advance(INVOICE_TTL + timedelta(days=1))
        forget_invoices(conn)
        assert conn.execute(query, [document["id"]]).fetchone() == ("", "Rosa Maria Delgado", 7500)
        conn.rollback()


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"name": ""}, "name"), ({"name": "x" * 201}, "name"), ({"address": "x" * 501}, "address"),
     ({"address": " "}, "address"), ({"taxId": "1" * 41}, "taxId"), ({"name": "a\nb"}, "name")],
)  # fmt: skip
async def test_company_words_are_limited(
    database: Database, seller: SeededGuru, create_user: CreateUser, changes: dict[str, str], field: str
) -> None:
    user = await create_user("Limits Lou")
    error = await invoice(user, seed_order(database, seller, user), ACME | changes, status=422)
    assert list(error["fields"]) == [field]
