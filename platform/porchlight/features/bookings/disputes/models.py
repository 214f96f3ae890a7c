"""Disputes of paid sessions. Only the guru sees them (`tenants.db.rls.ACTING_TABLES`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base

MAX_WORDS = 2000


class SessionDispute(Base):
    """A dispute of what was paid together (`group_id`), as last fetched from the payment provider.

    `parts` are what the bank took back from each payment (`disputes.parts.DisputePart`), once it has (`withdrawn`) and
    until it gives it back (`returned`). `amount_cents` is the whole amount, `bank_fee_cents` the bank's fee.

    `words` and `customer_words` are the guru's, a draft until the answer is sent, and erased once the bank has decided.
    `answer_state`: `requested` while it is on its way, `sent`, or `failed`.

    Kept when the guru is deleted: it is a fact about money. The app role can only read it.
    """

    __tablename__ = "session_disputes"
    __table_args__ = (
        UniqueConstraint("dp_id"),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint("bank_fee_cents >= 0", name="bank_fee"),
        CheckConstraint("state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed')", name="state"),
        CheckConstraint("answer_state IN ('', 'requested', 'sent', 'failed')", name="answer_state"),
        CheckConstraint(f"length(words) <= {MAX_WORDS} AND length(customer_words) <= {MAX_WORDS}", name="words"),
        CheckConstraint("withdrawn OR NOT returned", name="returned"),
        Index("ix_session_disputes_group_id", "group_id"),
        Index("ix_session_disputes_id", "id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    group_id: Mapped[UUID]
    dp_id: Mapped[str]
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    bank_fee_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    reason: Mapped[str]
    state: Mapped[str]
    due_by: Mapped[datetime | None]
    opened_at: Mapped[datetime]
    parts: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    withdrawn: Mapped[bool] = mapped_column(server_default=text("false"))
    returned: Mapped[bool] = mapped_column(server_default=text("false"))
    words: Mapped[str] = mapped_column(server_default="")
    customer_words: Mapped[str] = mapped_column(server_default="")
    answer_state: Mapped[str] = mapped_column(server_default="")
    answered_at: Mapped[datetime | None]
    checked_at: Mapped[datetime]
