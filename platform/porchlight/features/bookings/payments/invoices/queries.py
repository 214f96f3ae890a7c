"""Reading invoices: those of an order for its person, and those in a guru's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from porchlight.features.bookings.payments.invoices.invoice import InvoiceText, Party, invoice_number
from porchlight.features.bookings.payments.invoices.models import CompanyDetails, Invoice, InvoiceDetails
from porchlight.features.bookings.payments.invoices.schemas import (
    InvoiceData,
    InvoicePage,
    InvoicePartyData,
    OrderInvoicesData,
)
from porchlight.features.bookings.payments.models import Payment
from tenants.kit.errors import NotFound
from tenants.kit.pagination import PAGE_SIZE, parse_id_cursor

_NAMED = aliased(Invoice)
_WITH_NAMED: Any = select(Invoice, _NAMED).outerjoin(
    _NAMED, (_NAMED.tenant_id == Invoice.tenant_id) & (_NAMED.id == Invoice.corrects_id)
)
_NOTHING = InvoicePartyData(name="", address="", tax_id="")


async def own_payment(session: AsyncSession, user_id: UUID, payment_id: UUID) -> Payment:
    """Return a payment of a user that arrived. Raises NotFound."""
    query = select(Payment).where(
        Payment.person_id == user_id, Payment.id == payment_id, Payment.state == "paid",
        Payment.purpose != "package_session",
    )  # fmt: skip
    found = await session.scalar(query)
    if found is None:
        raise NotFound
    return found


async def documents_of(session: AsyncSession, payment: Payment) -> Sequence[Invoice]:
    """Return the documents about a payment, the oldest first."""
    query = select(Invoice).where(Invoice.tenant_id == payment.tenant_id, Invoice.payment_id == payment.id)
    return (await session.scalars(query.order_by(Invoice.id))).all()


async def order_invoices(session: AsyncSession, user_id: UUID, payment_id: UUID) -> OrderInvoicesData:
    """Return the documents about a user's order, and the company that they entered last. Raises NotFound."""
    payment = await own_payment(session, user_id, payment_id)
    query = _WITH_NAMED.where(
        Invoice.tenant_id == payment.tenant_id, Invoice.payment_id == payment.id, Invoice.person_id == user_id
    )
    rows = (await session.execute(query.order_by(Invoice.id.desc()))).all()
    company = await session.get(CompanyDetails, user_id, populate_existing=True)
    return OrderInvoicesData(
        company=_party(company) if company else _NOTHING, invoices=[_data(invoice, named) for invoice, named in rows]
    )


async def guru_invoices(session: AsyncSession, tenant_id: UUID, cursor: str | None) -> InvoicePage:
    """Return a page of the documents in a guru's name, the latest first. Raises ValidationFailed."""
    query = _WITH_NAMED.where(Invoice.tenant_id == tenant_id)
    before = parse_id_cursor(cursor)
    if before is not None:
        query = query.where(Invoice.id < before)
    rows = (await session.execute(query.order_by(Invoice.id.desc()).limit(PAGE_SIZE + 1))).all()
    page = rows[:PAGE_SIZE]
    last = next((invoice for invoice, _ in reversed(page)), None)
    return InvoicePage(
        items=[_data(invoice, named) for invoice, named in page],
        next_cursor=str(last.id) if last and len(rows) > PAGE_SIZE else None,
    )


async def invoice_details(session: AsyncSession, tenant_id: UUID) -> InvoicePartyData:
    """Return what a guru's invoices say about the guru."""
    found = await session.get(InvoiceDetails, tenant_id, populate_existing=True)
    return _party(found) if found else _NOTHING


async def own_invoice(session: AsyncSession, user_id: UUID, invoice_id: UUID) -> InvoiceText:
    """Return the content of a document that a user got. Raises NotFound."""
    return await _invoice_text(session, Invoice.id == invoice_id, Invoice.person_id == user_id)


async def guru_invoice(session: AsyncSession, tenant_id: UUID, invoice_id: UUID) -> InvoiceText:
    """Return the content of a document in a guru's name. Raises NotFound."""
    return await _invoice_text(session, Invoice.id == invoice_id, Invoice.tenant_id == tenant_id)


async def _invoice_text(session: AsyncSession, *conditions: Any) -> InvoiceText:
    rows = (await session.execute(_WITH_NAMED.where(*conditions))).all()
    if not rows:
        raise NotFound
    ((invoice, named),) = rows
    return InvoiceText(
        number=_number(invoice),
        kind=invoice.kind,
        corrects=_number(named) if named else "",
        issued_on=invoice.issued_on,
        paid_on=invoice.paid_on,
        session_on=invoice.session_on,
        seller=Party(invoice.seller_name, invoice.seller_address, invoice.seller_tax_id),
        buyer=Party(invoice.buyer_name, invoice.buyer_address, invoice.buyer_tax_id),
        service=invoice.service_name,
        amount_cents=invoice.amount_cents,
    )


def _number(invoice: Invoice) -> str:
    return invoice_number(invoice.year, invoice.number)


def _party(row: CompanyDetails | InvoiceDetails) -> InvoicePartyData:
    return InvoicePartyData(name=row.name, address=row.address, tax_id=row.tax_id)


def _data(invoice: Invoice, named: Invoice | None) -> InvoiceData:
    return InvoiceData(
        id=str(invoice.id),
        number=_number(invoice),
        kind=invoice.kind,
        corrects=_number(named) if named else None,
        issued_on=invoice.issued_on.isoformat(),
        buyer=InvoicePartyData(name=invoice.buyer_name, address=invoice.buyer_address, tax_id=invoice.buyer_tax_id),
        service_name=invoice.service_name,
        amount_cents=invoice.amount_cents,
    )
