"""Tables of settlement: the writes to send to the payment provider, and the events that it sent."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class StripeWrite(Base):
    """A change at Stripe that was decided, with its outcome. The app role has no access.

    `lane` has one call in flight: it is the connected account, or for a write of the platform its subject. `ready` and
    `unknown` rows are sent at `due_at`; a `sent` row is on its way until `lease_until`, and its outcome is unknown
    afterwards. `lookup`: repeating the request cannot tell the outcome, only a search can.
    """

    __tablename__ = "stripe_outbox"
    __table_args__ = (
        UniqueConstraint("kind", "subject_id", "attempt"),
        CheckConstraint("state IN ('ready', 'sent', 'done', 'refused', 'unknown', 'absent')", name="state"),
        CheckConstraint("state <> 'sent' OR (first_sent_at IS NOT NULL AND lease_until IS NOT NULL)", name="sent"),
        Index("ix_stripe_outbox_due_at", "due_at", postgresql_where=text("state IN ('ready', 'sent', 'unknown')")),
        # One call in flight at a time.
        Index(
            "uq_stripe_outbox_in_flight",
            "lane",
            unique=True,
            postgresql_where=text("state = 'sent'"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    subject_id: Mapped[UUID]
    attempt: Mapped[int]
    account: Mapped[str] = mapped_column(server_default="")
    lane: Mapped[str]
    method: Mapped[str]
    path: Mapped[str]
    params: Mapped[dict[str, Any]] = mapped_column(JSONB)
    api_version: Mapped[str] = mapped_column(server_default="")
    state: Mapped[str] = mapped_column(server_default="ready")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    due_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    first_sent_at: Mapped[datetime | None]
    lease_until: Mapped[datetime | None]
    lookup: Mapped[bool] = mapped_column(server_default=text("false"))
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    object_id: Mapped[str] = mapped_column(server_default="")
    error_code: Mapped[str] = mapped_column(server_default="")
    error_message: Mapped[str] = mapped_column(server_default="")
    settled_at: Mapped[datetime | None]


class StripeEvent(Base):
    """An event of Stripe. The app role adds it by a function and reads none.

    `body` is deleted after 90 days. Rows from before the inbox have neither a body nor a mode.
    """

    __tablename__ = "stripe_inbox"
    __table_args__ = (
        CheckConstraint("endpoint IN ('platform', 'connect')", name="endpoint"),
        CheckConstraint("state IN ('new', 'done', 'ignored', 'failed')", name="state"),
        Index("ix_stripe_inbox_due_at", "due_at", postgresql_where=text("state = 'new'")),
        Index("ix_stripe_inbox_received_at", "received_at"),
        Index("ix_stripe_inbox_state", "state", "received_at", "id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    endpoint: Mapped[str]
    account: Mapped[str] = mapped_column(server_default="")
    kind: Mapped[str]
    object_id: Mapped[str] = mapped_column(server_default="")
    livemode: Mapped[bool | None]
    created: Mapped[datetime]
    received_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    body: Mapped[bytes | None]
    state: Mapped[str] = mapped_column(server_default="new")
    due_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    error: Mapped[str] = mapped_column(server_default="")
