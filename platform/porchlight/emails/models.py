"""Table of the development mailbox."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class MailboxEmail(Base):
    """An email in the development mailbox. The unique `key` makes storing the same email twice harmless."""

    __tablename__ = "dev_mailbox"
    __table_args__ = (Index("ix_dev_mailbox_sent_at", "sent_at"), Index("ix_dev_mailbox_tenant_id", "tenant_id"))

    id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    tenant_id: Mapped[UUID | None]  # the guru the email belongs to; deleting the guru deletes it
    recipient: Mapped[str]
    reply_to: Mapped[str] = mapped_column(server_default="")
    subject: Mapped[str]
    plain: Mapped[str]
    html: Mapped[str]
    invitation: Mapped[str] = mapped_column(server_default="")  # the iCalendar file, or ""
    original: Mapped[bytes] = mapped_column(server_default="")  # as a mail server would get it
    sent_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
