"""Tables of accounts at the payment provider and of payouts."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class PayoutAccount(Base):
    """A guru's account at the payment provider, with its state as of `checked_at`. Isolated by `user_id`.

    Once money has moved there, it is kept when the user is deleted, so that the books can still be compared.
    """

    __tablename__ = "payout_accounts"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    account_id: Mapped[str] = mapped_column(unique=True)
    connected: Mapped[bool] = mapped_column(server_default=text("true"))
    charges_enabled: Mapped[bool] = mapped_column(server_default=text("false"))
    payouts_enabled: Mapped[bool] = mapped_column(server_default=text("false"))
    details_submitted: Mapped[bool] = mapped_column(server_default=text("false"))
    currently_due: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    destinations: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    destinations_changed_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Payout(Base):
    """A payout from a guru's account to their bank: one that they asked for, or an automatic one. Amounts are in cents.

    Isolated by `user_id`, and kept when the user is deleted: it is a fact about money. The app role can only read it.
    `requested_cents`: what was asked for, NULL for all; with `request_key` it tells a resend from another request.
    """

    __tablename__ = "payouts"
    __table_args__ = (
        CheckConstraint("amount > 0 AND fee >= 0", name="amounts"),
        CheckConstraint("method IN ('standard', 'instant')", name="method"),
        CheckConstraint("state IN ('requested', 'sent', 'in_transit', 'paid', 'failed', 'canceled')", name="state"),
        Index(None, "user_id", "created_at"),
        Index(
            "uq_payouts_user_id_request_key", "user_id", "request_key", unique=True,
            postgresql_where=text("request_key <> ''"),
        ),
        # A second one can start once the first is on its way to the bank.
        Index(
            "uq_payouts_account_id_open", "account_id", unique=True,
            postgresql_where=text("state IN ('requested', 'sent') AND NOT automatic"),
        ),
        Index("ix_payouts_checked_at", "checked_at", postgresql_where=text("state IN ('sent', 'in_transit')")),
        Index("ix_payouts_created_at", "created_at", postgresql_where=text("method = 'instant'")),
    )  # fmt: skip

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    account_id: Mapped[str]
    amount: Mapped[int] = mapped_column(BigInteger)
    fee: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    method: Mapped[str]
    automatic: Mapped[bool] = mapped_column(server_default=text("false"))
    destination: Mapped[str] = mapped_column(server_default="")
    last4: Mapped[str] = mapped_column(server_default="")
    state: Mapped[str] = mapped_column(server_default="requested")
    po_id: Mapped[str | None] = mapped_column(unique=True)
    failure_code: Mapped[str] = mapped_column(server_default="")
    arrival_date: Mapped[date | None]
    request_key: Mapped[str] = mapped_column(server_default="")
    requested_cents: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    checked_at: Mapped[datetime | None]
