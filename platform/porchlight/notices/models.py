"""Mail that the demo keeps instead of sending."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base


class Mail(Base):
    """A mail in the local mailbox. `key` makes a second delivery of the same mail the same row."""

    __tablename__ = "mailbox"
    __table_args__ = (Index("ix_mailbox_sent_at", "sent_at"), Index("ix_mailbox_tenant_id", "tenant_id"))

    id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    tenant_id: Mapped[UUID | None]  # whose mail it is; goes when the guru goes
    recipient: Mapped[str]
    reply_to: Mapped[str] = mapped_column(server_default="")
    subject: Mapped[str]
    plain: Mapped[str]
    html: Mapped[str]
    sent_at: Mapped[datetime] = mapped_column(server_default=func.now())
