"""Invoices of the user's orders, made out to a company."""

from __future__ import annotations

import asyncio

from fastapi import Response, status

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.payments.invoices import actions, queries
from porchlight.features.bookings.payments.invoices.invoice import InvoiceText
from porchlight.features.bookings.payments.invoices.schemas import CompanyPayload, OrderInvoicesResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)


@router.get("/orders/{order_id}/invoices", operation_id="list_order_invoices", summary="List the invoices of an order")
async def list_order_invoices(context: Context, user: CurrentUser, order_id: str) -> OrderInvoicesResponse:
    """Return the invoices of an order with their corrections and credit notes, the latest first."""
    wanted = parse_id_or_404(order_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.order_invoices(session, user.user_id, wanted)
    return OrderInvoicesResponse(success=True, data=data)


@router.post(
    "/orders/{order_id}/invoices",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_order_invoice",
    summary="Get an invoice for a company",
)
async def create_order_invoice(
    context: Context, user: CurrentUser, order_id: str, payload: CompanyPayload
) -> OrderInvoicesResponse:
    """Issue the invoice of an order, made out to a company. The same company again changes nothing.

    Another company gets a correction, and money that went back since gets a credit note. 409 `nothing_to_invoice`,
    `guru_gone`, or `too_many_invoices` for the 21st.
    """
    wanted = parse_id_or_404(order_id)
    await actions.issue_invoice(context.db, user.user_id, wanted, payload)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.order_invoices(session, user.user_id, wanted)
    return OrderInvoicesResponse(success=True, data=data)


@router.get(
    "/invoices/{invoice_id}/invoice.pdf",
    operation_id="get_invoice",
    summary="Download an invoice",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "The invoice as PDF."}},
)
async def get_invoice(context: Context, user: CurrentUser, invoice_id: str) -> Response:
    """Return an invoice, a correction or a credit note of the user."""
    wanted = parse_id_or_404(invoice_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        found = await queries.own_invoice(session, user.user_id, wanted)
    return await invoice_pdf(found)


async def invoice_pdf(invoice: InvoiceText) -> Response:
    """Return an invoice as a download."""
    # reportlab takes 8 MB, and few workers draw an invoice
    from porchlight.features.bookings.payments.invoices.pdf import render_invoice

    headers = {
        "content-disposition": f'attachment; filename="invoice-{invoice.number}.pdf"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(await asyncio.to_thread(render_invoice, invoice), media_type="application/pdf", headers=headers)
