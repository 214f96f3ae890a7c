"""Invoices in the guru's name: what they say about the guru, and those that were issued.

An admin who impersonates the guru sees none, as they see no sessions.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.payments.invoices import actions, queries
from porchlight.features.bookings.payments.invoices.routes import invoice_pdf
from porchlight.features.bookings.payments.invoices.schemas import (
    InvoiceDetailsPayload,
    InvoiceDetailsResponse,
    InvoicesResponse,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["bookings"], route_class=StrictRoute)


@router.get("/invoices", operation_id="list_guru_invoices", summary="List invoices in my name")
async def list_guru_invoices(
    console: CurrentConsole,
    cursor: Annotated[str | None, Query(max_length=36, description="`nextCursor` of the previous page.")] = None,
) -> InvoicesResponse:
    """Return a page of 50 of the invoices, corrections and credit notes in the guru's name, the latest first."""
    async with console.unit_of_work(acting=True) as session:
        return InvoicesResponse(success=True, data=await queries.guru_invoices(session, console.tenant_id, cursor))


@router.get(
    "/invoices/{invoice_id}/invoice.pdf",
    operation_id="get_guru_invoice",
    summary="Download an invoice in my name",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "The invoice as PDF."}},
)
async def get_guru_invoice(console: CurrentConsole, invoice_id: str) -> Response:
    """Return an invoice, a correction or a credit note in the guru's name."""
    wanted = parse_id_or_404(invoice_id)
    async with console.unit_of_work(acting=True) as session:
        found = await queries.guru_invoice(session, console.tenant_id, wanted)
    return await invoice_pdf(found)


@router.get("/invoice-details", operation_id="get_invoice_details", summary="Get what my invoices say about me")
async def get_invoice_details(console: CurrentConsole) -> InvoiceDetailsResponse:
    """Return the guru's legal name, address and tax id, empty before they are entered."""
    async with console.unit_of_work(acting=True) as session:
        return InvoiceDetailsResponse(success=True, data=await queries.invoice_details(session, console.tenant_id))


@router.put("/invoice-details", operation_id="update_invoice_details", summary="Change what my invoices say about me")
async def update_invoice_details(console: CurrentConsole, payload: InvoiceDetailsPayload) -> InvoiceDetailsResponse:
    """Change the guru's legal name, address and tax id for the next invoices. Issued ones stay as they are."""
    if console.is_impersonated:
        raise Forbidden
    async with console.unit_of_work(acting=True) as session:
        await actions.change_details(session, console.tenant_id, payload)
        return InvoiceDetailsResponse(success=True, data=await queries.invoice_details(session, console.tenant_id))
