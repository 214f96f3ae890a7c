"""The table of messages from the contact form."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class ContactMessage(Base):
    """A message from the contact form. `address_hash`: a keyed hash, for rate limits only."""

    __tablename__ = "contact_messages"
    __table_args__ = (
        Index("ix_contact_messages_created_at", "created_at"),
        Index("ix_contact_messages_address_hash_created_at", "address_hash", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str]
    subject: Mapped[str]
    message: Mapped[str]
    address_hash: Mapped[bytes] = mapped_column(LargeBinary)
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
