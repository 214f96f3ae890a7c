"""Tables of reconciliation: Stripe's balance lines, what differs from the ledger, and the runs."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("reconciliations", "stripe_balance_lines")


class Finding(Base):
    """A difference between Stripe and the ledger, or what failed and staff have to look at.

    Of a difference, `cents` is Stripe's amount less ours. An event, a refund or a transfer that failed is named by
    `stripe_id`; the latter two with their amount.

    `state`: open, explained by staff with a note, or gone when a later run no longer found it.
    """

    __tablename__ = "findings"
    __table_args__ = (
        UniqueConstraint("kind", "account", "stripe_id"),
        CheckConstraint(
            "kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line', 'balance_differs',"
            " 'stuck_outbox', 'failed_event', 'failed_refund', 'stuck_transfer')",
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
