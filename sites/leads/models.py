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
        CheckConstraint("status IN ('new', 'answered', 'closed')", name="status"),
        ForeignKeyConstraint(
            ["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="SET NULL (service_id)"
        ),
        Index("ix_leads_tenant_id_created_at", "tenant_id", "created_at"),
        Index("ix_leads_tenant_id_address_hash_created_at", "tenant_id", "address_hash", "created_at"),
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
