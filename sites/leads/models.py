"""Leads: people who wrote to a guru."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class Lead(GuruOwned, Base):
    """A message left on a guru's site.

    `address_hash` is a keyed hash of the sender's network address, for limits alone. `idempotency_key` makes a resend
    the same lead; `digest` tells a resend from another message under the same key.
    """

    __tablename__ = "leads"
    __table_args__ = (
        UniqueConstraint("tenant_id", "idempotency_key"),
        CheckConstraint("status IN ('new', 'read', 'answered', 'archived')", name="status"),
        ForeignKeyConstraint(
            ["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="SET NULL (service_id)"
        ),
        Index("ix_leads_tenant_id_created_at", "tenant_id", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    name: Mapped[str]
    email: Mapped[str]
    phone: Mapped[str] = mapped_column(server_default="")
    message: Mapped[str]
    service_id: Mapped[UUID | None]
    page: Mapped[str] = mapped_column(server_default="")
    status: Mapped[str] = mapped_column(server_default="new")
    consented_at: Mapped[datetime | None]
    address_hash: Mapped[bytes] = mapped_column(LargeBinary)
    idempotency_key: Mapped[str]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class LeadNote(GuruOwned, Base):
    """What a guru writes down about a lead, for themselves alone."""

    __tablename__ = "lead_notes"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "lead_id"], ["leads.tenant_id", "leads.id"], ondelete="CASCADE"),
        Index("ix_lead_notes_tenant_id_lead_id", "tenant_id", "lead_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    lead_id: Mapped[UUID]
    body: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class LeadAnswer(GuruOwned, Base):
    """A mail to somebody who left a lead. `sent_at` is set once the mail server took it."""

    __tablename__ = "lead_answers"
    __table_args__ = (
        UniqueConstraint("tenant_id", "idempotency_key"),
        ForeignKeyConstraint(["tenant_id", "lead_id"], ["leads.tenant_id", "leads.id"], ondelete="CASCADE"),
        Index("ix_lead_answers_tenant_id_lead_id", "tenant_id", "lead_id"),
        Index("ix_lead_answers_tenant_id_created_at", "tenant_id", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    lead_id: Mapped[UUID]
    body: Mapped[str]
    idempotency_key: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    sent_at: Mapped[datetime | None]
