"""The table of messages from the contact form."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, LargeBinary, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class ContactMessage(Base):
    """A message from the contact form. `address_hash` and `network_hash`: keyed hashes, for limits only.

    `awaits_digest`: the staff gets no email of its own about it, but one about all messages that wait.
    """

    __tablename__ = "contact_messages"
    __table_args__ = (
        Index("ix_contact_messages_created_at", "created_at"),
        Index("ix_contact_messages_address_hash_created_at", "address_hash", "created_at"),
        Index("ix_contact_messages_awaits_digest", "created_at", postgresql_where=text("awaits_digest")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str]
    subject: Mapped[str]
    message: Mapped[str]
    address_hash: Mapped[bytes] = mapped_column(LargeBinary)
    network_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    awaits_digest: Mapped[bool] = mapped_column(server_default=text("false"))
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
