"""Issue an invoice, or change what it will say. Numbers are given by app.issue_invoice, under a lock of the guru."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.packages.models import PackageGrant
from porchlight.features.bookings.payments.invoices import queries
from porchlight.features.bookings.payments.invoices.decisions import Company, Issued, NewDocument, next_document
from porchlight.features.bookings.payments.invoices.errors import GuruGone
from porchlight.features.bookings.payments.invoices.models import CompanyDetails, Invoice, InvoiceDetails
from porchlight.features.bookings.payments.invoices.schemas import CompanyPayload, InvoiceDetailsPayload
from porchlight.features.bookings.payments.models import Payment, Refund
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.ids import new_id

# The lock of app.issue_invoice, taken before what the decision depends on is read.
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('invoices ' || :tenant, 0))")
_ISSUE = text("SELECT app.issue_invoice(CAST(:billed AS jsonb))")


async def issue_invoice(db: Database, user_id: UUID, payment_id: UUID, payload: CompanyPayload) -> None:
    """Issue what is missing of the documents about a user's payment: an invoice, a correction or a credit note.

    Raises NotFound, GuruGone, NothingToInvoice and TooManyInvoices. The company is remembered for the next invoice.
    """
    company = Company(payload.name, payload.address, payload.tax_id)
    async with unit_of_work(db, user_id=user_id) as session:
        tenant_id = (await queries.own_payment(session, user_id, payment_id)).tenant_id
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        await session.execute(_LOCK, {"tenant": str(tenant_id)})
        payment = await queries.own_payment(session, user_id, payment_id)
        issued = [_issued(one) for one in await queries.documents_of(session, payment)]
        document = next_document(issued, company, payment.amount_cents - await _returned_cents(session, payment))
        await _remember(session, user_id, company)
        if document is not None:
            billed = await _billed(session, payment, document)
            await session.execute(_ISSUE, {"billed": json.dumps(billed, default=str)})


async def change_details(session: AsyncSession, tenant_id: UUID, payload: InvoiceDetailsPayload) -> None:
    """Change what a guru's invoices say about the guru, from the next one on."""
    values = {"name": payload.name, "address": payload.address, "tax_id": payload.tax_id, "changed_at": func.app.now()}
    statement = insert(InvoiceDetails).values(tenant_id=tenant_id, **values)
    await session.execute(statement.on_conflict_do_update(index_elements=["tenant_id"], set_=values))


async def _remember(session: AsyncSession, user_id: UUID, company: Company) -> None:
    values = {"name": company.name, "address": company.address, "tax_id": company.tax_id, "changed_at": func.app.now()}
    statement = insert(CompanyDetails).values(user_id=user_id, **values)
    await session.execute(statement.on_conflict_do_update(index_elements=["user_id"], set_=values))


async def _returned_cents(session: AsyncSession, payment: Payment) -> int:
    """Return what has gone back of a payment. What is on its way may still come back to the guru."""
    query = select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(
        Refund.tenant_id == payment.tenant_id, Refund.payment_id == payment.id, Refund.state == "done"
    )
    return int(await session.scalar(query) or 0)


async def _billed(session: AsyncSession, payment: Payment, document: NewDocument) -> dict[str, Any]:
    """Return what app.issue_invoice stores, with days in the zone of the session. Raises GuruGone."""
    booking = await session.scalar(
        select(Booking).where(Booking.tenant_id == payment.tenant_id, Booking.id == payment.booking_id)
    )
    grant = await session.scalar(
        select(PackageGrant).where(PackageGrant.tenant_id == payment.tenant_id, PackageGrant.payment_id == payment.id)
    )
    about = booking or grant
    if about is None:
        raise GuruGone
    zone = ZoneInfo(about.zone)
    issued_on = clock.now().astimezone(zone).date()
    return {
        "id": new_id(), "payment_id": payment.id, "kind": document.kind, "corrects_id": document.corrects_id,
        "year": issued_on.year, "issued_on": issued_on,
        "paid_on": (payment.paid_at or payment.created_at).astimezone(zone).date(),
        "session_on": booking.starts_at.astimezone(zone).date() if booking else None,
        "amount_cents": document.amount_cents,
        "buyer_name": document.company.name, "buyer_address": document.company.address,
        "buyer_tax_id": document.company.tax_id,
    }  # fmt: skip


def _issued(row: Invoice) -> Issued:
    company = Company(row.buyer_name, row.buyer_address, row.buyer_tax_id)
    return Issued(row.id, row.kind, company, row.amount_cents)  # type: ignore[arg-type]  # of the constraint's kinds
