"""Tables of reconciliation: Stripe's balance lines, what differs from the ledger, and the runs."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class StripeBalanceLine(Base):
    """A line of a Stripe balance: of the platform (`account` is empty) or a connected account. Amounts are cents.

    `object_id`: the object of Stripe that the ledger posts the movement for; for a payment that a transfer made, the
    transfer.
    """

    __tablename__ = "stripe_balance_lines"
    __table_args__ = (
        Index(None, "object_id", "account"),
        Index(None, "created"),
        CheckConstraint("net = amount - fee", name="net"),
    )

    account: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    amount: Mapped[int] = mapped_column(BigInteger)
    fee: Mapped[int] = mapped_column(BigInteger)
    net: Mapped[int] = mapped_column(BigInteger)
    source: Mapped[str] = mapped_column(server_default="")
    object_id: Mapped[str]
    created: Mapped[datetime]
    available_on: Mapped[datetime]


class Finding(Base):
    """A difference between Stripe and the ledger: `cents` is Stripe's amount less ours. Or an event that failed.

    `state`: open, explained by staff with a note, or gone when a later run no longer found it.
    """

    __tablename__ = "findings"
    __table_args__ = (
        UniqueConstraint("kind", "account", "stripe_id"),
        CheckConstraint(
            "kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line', 'balance_differs',"
            " 'stuck_outbox', 'failed_event')",
            name="kind",
        ),
        CheckConstraint("state IN ('open', 'explained', 'gone')", name="state"),
        Index("ix_findings_open", "found_at", postgresql_where=text("state = 'open'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    account: Mapped[str] = mapped_column(server_default="")
    stripe_id: Mapped[str]
    transaction_id: Mapped[UUID | None]
    cents: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(server_default="open")
    note: Mapped[str] = mapped_column(server_default="")
    by: Mapped[str] = mapped_column(server_default="")
    found_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Reconciliation(Base):
    """A finished run: how many lines it imported, and the open findings and cents that it left."""

    __tablename__ = "reconciliations"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime] = mapped_column(server_default=func.app.now(), index=True)
    lines: Mapped[int]
    open_findings: Mapped[int]
    off_cents: Mapped[int] = mapped_column(BigInteger)
    off_accounts: Mapped[int]
