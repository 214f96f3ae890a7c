"""Invoices in a guru's name, in the console."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.porchlight.factories import SeededGuru, seed_invoice, seed_payment
from tests.porchlight.owner import GuruOwner

DETAILS = {"name": "Rosa Maria Delgado", "address": "9 Elm St\nDenver", "taxId": "98-7654321"}


def seed_invoices(conn: psycopg.Connection[Any], guru: SeededGuru, count: int) -> list[str]:
    """Create invoices in a guru's name, and return their ids."""
    assert guru.person is not None and guru.booking is not None  # noqa: PT018
    payment = seed_payment(conn, guru, guru.person, guru.booking, number=7)
    return [
        str(seed_invoice(conn, guru, guru.person, payment, year=2020, number=number)) for number in range(1, count + 1)
    ]


async def test_guru_lists_invoices_in_pages(
    rosa: GuruOwner, theo: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    before = (await rosa.call("GET", "/invoices"))["items"]
    ids = seed_invoices(service_db, rosa.guru, 52)
    first = await rosa.call("GET", "/invoices")
    assert [one["id"] for one in first["items"]] == ids[:1:-1]
    assert first["items"][0]["number"] == "2020-0052"
    rest = await rosa.call("GET", "/invoices", params={"cursor": first["nextCursor"]})
    assert [one["id"] for one in rest["items"]] == ids[1::-1] + [one["id"] for one in before]
    assert (await rosa.web.get(f"/api/guru/invoices/{ids[0]}/invoice.pdf")).headers["content-type"] == "application/pdf"
    assert (await theo.web.get(f"/api/guru/invoices/{ids[0]}/invoice.pdf")).status_code == 404
    assert not {one["id"] for one in (await theo.call("GET", "/invoices"))["items"]} & set(ids)


async def test_invoice_details_are_changed_by_their_guru(rosa: GuruOwner, theo: GuruOwner) -> None:
    others = await theo.call("GET", "/invoice-details")
    assert others["name"] == f"Legal {theo.guru.mark}"
    assert await rosa.call("PUT", "/invoice-details", DETAILS) == DETAILS
    assert await rosa.call("GET", "/invoice-details") == DETAILS
    cleared = {"name": "", "address": "", "taxId": ""}
    assert await rosa.call("PUT", "/invoice-details", cleared) == cleared
    assert await theo.call("GET", "/invoice-details") == others
    error = await rosa.call("PUT", "/invoice-details", DETAILS | {"name": "x" * 201}, expect=422)
    assert list(error["fields"]) == ["name"]
