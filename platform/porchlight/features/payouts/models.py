"""Tables of accounts at the payment provider and of its events."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class PayoutAccount(Base):
    """A guru's account at the payment provider, with its state as of `checked_at`. Isolated by `user_id`."""

    __tablename__ = "payout_accounts"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(unique=True)
    connected: Mapped[bool] = mapped_column(server_default=text("true"))
    charges_enabled: Mapped[bool] = mapped_column(server_default=text("false"))
    payouts_enabled: Mapped[bool] = mapped_column(server_default=text("false"))
    details_submitted: Mapped[bool] = mapped_column(server_default=text("false"))
    currently_due: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PaymentEventRow(Base):
    """An event of the payment provider, stored so that duplicates are ignored."""

    __tablename__ = "payment_events"
    __table_args__ = (Index("ix_payment_events_received_at", "received_at"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    account_id: Mapped[str] = mapped_column(server_default="")
    received_at: Mapped[datetime] = mapped_column(server_default=func.now())
