"""Leads: messages of visitors to a guru, with replies and notes."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned

LeadStatus = Literal["new", "read", "answered", "archived"]
STATUSES: tuple[LeadStatus, ...] = ("new", "read", "answered", "archived")
AddressState = Literal["unconfirmed", "confirmed", "blocked"]
MAX_NOTES = 200  # per lead


class Lead(TenantOwned, Base):
    """A message sent from a guru's site.

    `address_hash` and `network_hash` are keyed hashes of the sender's network address, for limits only. A resend has
    the same `idempotency_key`; `digest` distinguishes it from another message under the same key. `awaits_digest`: the
    guru gets no email of its own about it, but one about all leads that wait.
    """

    __tablename__ = "leads"
    __table_args__ = (
        UniqueConstraint("tenant_id", "idempotency_key"),
        CheckConstraint("status IN ('new', 'read', 'answered', 'archived')", name="status"),
        ForeignKeyConstraint(
            ["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="SET NULL (service_id)"
        ),
        Index("ix_leads_tenant_id_created_at", "tenant_id", "created_at"),
        Index("ix_leads_tenant_id_awaits_digest", "tenant_id", postgresql_where=text("awaits_digest")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    name: Mapped[str]
    email: Mapped[str]
    phone: Mapped[str] = mapped_column(server_default="")
    preferred_time: Mapped[str] = mapped_column(server_default="")
    message: Mapped[str]
    service_id: Mapped[UUID | None]
    page: Mapped[str] = mapped_column(server_default="")
    status: Mapped[str] = mapped_column(server_default="new")
    consented_at: Mapped[datetime | None]
    address_hash: Mapped[bytes] = mapped_column(LargeBinary)
    network_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    awaits_digest: Mapped[bool] = mapped_column(server_default=text("false"))
    idempotency_key: Mapped[str]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class LeadNote(TenantOwned, Base):
    """A guru's private note about a lead."""

    __tablename__ = "lead_notes"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "lead_id"], ["leads.tenant_id", "leads.id"], ondelete="CASCADE"),
        Index("ix_lead_notes_tenant_id_lead_id", "tenant_id", "lead_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    lead_id: Mapped[UUID]
    body: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class LeadReply(TenantOwned, Base):
    """A guru's reply to a lead, sent by email. `sent_at` is set once the mail server has accepted it."""

    __tablename__ = "lead_replies"
    __table_args__ = (
        UniqueConstraint("tenant_id", "idempotency_key"),
        ForeignKeyConstraint(["tenant_id", "lead_id"], ["leads.tenant_id", "leads.id"], ondelete="CASCADE"),
        Index("ix_lead_replies_tenant_id_lead_id", "tenant_id", "lead_id"),
        Index("ix_lead_replies_tenant_id_created_at", "tenant_id", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    lead_id: Mapped[UUID]
    body: Mapped[str]
    idempotency_key: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    sent_at: Mapped[datetime | None]


class LeadAddress(TenantOwned, Base):
    """An email address to which a site sends receipts and replies, and what its owner said about it.

    `email` is in lower case. An address without a row is unconfirmed. `token` is only in emails to the address, so who
    has it can read them.
    """

    __tablename__ = "lead_addresses"
    __table_args__ = (
        UniqueConstraint("tenant_id", "token"),
        CheckConstraint("email = lower(email)", name="email"),
        CheckConstraint("state IN ('unconfirmed', 'confirmed', 'blocked')", name="state"),
    )

    email: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(server_default="unconfirmed")
    token: Mapped[UUID] = mapped_column(server_default=text("gen_random_uuid()"))
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
