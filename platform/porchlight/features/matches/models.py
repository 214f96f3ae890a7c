"""Swap rings: A teaches B, B teaches C, C teaches A."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("swap_rings",)


class SwapRingMember(Base):
    """A member of a ring. Teaches `teaches` to the member with the next `place`. Under row-level security."""

    __tablename__ = "swap_ring_members"
    __table_args__ = (
        CheckConstraint("place BETWEEN 0 AND 2", name="place"),
        CheckConstraint("answer IN ('accepted', 'declined')", name="answer"),
        Index("ix_swap_ring_members_ring_id", "ring_id"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    ring_id: Mapped[UUID] = mapped_column(primary_key=True)
    place: Mapped[int] = mapped_column(SmallInteger)
    teaches: Mapped[str]
    answer: Mapped[str | None]
    answered_at: Mapped[datetime | None]
