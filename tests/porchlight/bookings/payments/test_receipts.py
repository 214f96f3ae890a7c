"""Receipts of payments, as PDF."""

from __future__ import annotations

from datetime import date

import pypdfium2

from porchlight.features.bookings.payments.receipt import Receipt
from porchlight.features.bookings.payments.receipt_pdf import render_receipt
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.factories import SeededGuru


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1
    return str(document[0].get_textpage().get_text_bounded())


def test_receipt_names_amounts_and_refunds() -> None:
    long_name = "Préparation des légumes d’été, 料理 " * 6
    receipt = Receipt(
        "R-1", date(2027, 1, 31), "Ada <b>", "Rosa Delgado", long_name, "Visa ending in 4242", 750_000,
        [(date(2027, 2, 1), 250_050)],
    )  # fmt: skip
    text = text_of(render_receipt(receipt))
    for words in ("R-1", "January 31, 2027", "Ada <b>", "Rosa Delgado", "Visa ending in 4242", "$7,500.00",
                  "-$2,500.50", "$4,999.50"):  # fmt: skip
        assert words in text
    assert render_receipt(receipt) == render_receipt(receipt)


async def test_receipt_is_only_for_who_paid(shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser) -> None:
    user, other = await create_user("Receipt Rae"), await create_user("Other Oz")
    booked = await shop.begin(user, paid_guru)
    path = f"/api/orders/{booked['payment']['id']}/receipt.pdf"
    assert (await user.request("GET", path)).status_code == 404  # not paid yet
    shop.pay_page(booked)
    await shop.settle()
    response = await user.request("GET", path)
    assert response.headers["content-type"] == "application/pdf"
    assert "$45.01" in text_of(response.content)
    assert (await other.request("GET", path)).status_code == 404
    await shop.cancel(user, booked)
    assert "-$45.01" in text_of((await user.request("GET", path)).content)
