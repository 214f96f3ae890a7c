"""The table of questions."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class Question(Base):
    """A user's message to a neighbor with a public profile, sent by email. SQL functions show it to the neighbor."""

    __tablename__ = "questions"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key"),
        Index("ix_questions_user_id_created_at", "user_id", "created_at"),
        Index("ix_questions_recipient_id", "recipient_id"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    recipient_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"))
    body: Mapped[str]
    idempotency_key: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
