"""Request and response bodies of invoices. Amounts are cents, days are local ones of the guru."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

InvoiceName = Annotated[str, StringConstraints(min_length=1, max_length=200), ONE_LINE]
InvoiceAddress = Annotated[str, StringConstraints(min_length=1, max_length=500), PRINTABLE]
TaxId = Annotated[str, StringConstraints(max_length=40), ONE_LINE]
InvoiceKind = Literal["invoice", "correction", "credit_note"]


class CompanyPayload(Payload):
    """Whom to make an invoice out to. `taxId` may be empty."""

    name: InvoiceName
    address: InvoiceAddress
    tax_id: TaxId


class InvoiceDetailsPayload(Payload):
    """The seller that a guru's invoices name. With an empty name they say the name of the site."""

    name: Annotated[str, StringConstraints(max_length=200), ONE_LINE]
    address: Annotated[str, StringConstraints(max_length=500), PRINTABLE]
    tax_id: TaxId


class InvoicePartyData(ResponseModel):
    """A side of an invoice, with empty fields where nothing was entered."""

    name: str
    address: str
    tax_id: str


class InvoiceData(ResponseModel):
    """An issued document. `number` is like 2026-0007. `corrects` is the number of the one that it names, or null.

    `amount_cents` is the total, and of a credit note what it returns.
    """

    id: str
    number: str
    kind: InvoiceKind
    corrects: str | None
    issued_on: str
    buyer: InvoicePartyData
    service_name: str
    amount_cents: int


class OrderInvoicesData(ResponseModel):
    """The documents about an order, the latest first. `company` is what was entered last, for any order."""

    company: InvoicePartyData
    invoices: list[InvoiceData]


class OrderInvoicesResponse(ResponseModel):
    """The documents about an order."""

    success: bool
    data: OrderInvoicesData


class InvoicePage(ResponseModel):
    """A page of the documents in a guru's name, the latest first."""

    items: list[InvoiceData]
    next_cursor: str | None


class InvoicesResponse(ResponseModel):
    """A page of the documents in a guru's name."""

    success: bool
    data: InvoicePage


class InvoiceDetailsResponse(ResponseModel):
    """The seller that a guru's invoices name."""

    success: bool
    data: InvoicePartyData
