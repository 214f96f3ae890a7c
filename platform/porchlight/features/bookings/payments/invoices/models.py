"""Invoices of paid sessions, and the details of both sides that they name."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    UniqueConstraint,
    func,
)
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import Base, TenantOwned


class InvoiceDetails(TenantOwned, Base):
    """The seller that a guru's invoices name: the legal name, the address and a tax id."""

    __tablename__ = "invoice_details"
    __table_args__ = (
        CheckConstraint("length(name) <= 200 AND length(address) <= 500 AND length(tax_id) <= 40", name="lengths"),
    )

    name: Mapped[str]
    address: Mapped[str]
    tax_id: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class CompanyDetails(UserOwned, Base):
    """The company that a person's last invoice was made out to, for the next one."""

    __tablename__ = "company_details"
    __table_args__ = (
        CheckConstraint("length(name) <= 200 AND length(address) <= 500 AND length(tax_id) <= 40", name="lengths"),
        {"info": {"deleted_with_account": True}},
    )

    name: Mapped[str]
    address: Mapped[str]
    tax_id: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Invoice(Base):
    """A document about a payment, in the guru's name: rows of two parties that never change (`tenants.db.rls`).

    `kind`: an `invoice`, a `correction` with other words or another amount, which replaces the one it names, or a
    `credit_note` of what was returned since. `number` counts the documents of a guru and a year without gaps.
    `amount_cents` is the total of an invoice or a correction, and what a credit note returns.

    Kept with its words for seven years, also when the guru or the person is deleted: both may have to show it. The app
    role can only read it.
    """

    __tablename__ = "invoices"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "payment_id"], ["payments.tenant_id", "payments.id"]),
        ForeignKeyConstraint(["tenant_id", "corrects_id"], ["invoices.tenant_id", "invoices.id"]),
        UniqueConstraint("tenant_id", "year", "number"),
        CheckConstraint("kind IN ('invoice', 'correction', 'credit_note')", name="kind"),
        CheckConstraint("(kind = 'invoice') = (corrects_id IS NULL)", name="corrects"),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint(
            "length(buyer_name) <= 200 AND length(buyer_address) <= 500 AND length(buyer_tax_id) <= 40", name="lengths"
        ),
        CheckConstraint("number > 0", name="number"),
        Index("ix_invoices_person_id", "person_id"),
        Index("ix_invoices_tenant_id_payment_id", "tenant_id", "payment_id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    payment_id: Mapped[UUID]
    person_id: Mapped[UUID]
    year: Mapped[int] = mapped_column(SmallInteger)
    number: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str]
    corrects_id: Mapped[UUID | None]
    issued_on: Mapped[date]
    paid_on: Mapped[date]
    session_on: Mapped[date | None]
    seller_name: Mapped[str]
    seller_address: Mapped[str]
    seller_tax_id: Mapped[str]
    buyer_name: Mapped[str]
    buyer_address: Mapped[str]
    buyer_tax_id: Mapped[str]
    service_name: Mapped[str]
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
