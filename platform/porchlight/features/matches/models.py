"""Swap rings: A teaches B, B teaches C, C teaches A."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, SmallInteger, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class SwapRing(Base):
    """A proposed ring. `digest` is the hash of its members, so that a ring is proposed only once.

    `availability_bits`: the times that all three members share, as in UserLocation.
    """

    __tablename__ = "swap_rings"
    __table_args__ = (CheckConstraint("state IN ('proposed', 'agreed', 'declined', 'expired')", name="state"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    state: Mapped[str] = mapped_column(server_default="proposed")
    availability_bits: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class SwapRingMember(Base):
    """A member of a ring. Teaches `teaches` to the member with the next `place`. Under row-level security."""

    __tablename__ = "swap_ring_members"
    __table_args__ = (
        CheckConstraint("place BETWEEN 0 AND 2", name="place"),
        CheckConstraint("answer IN ('accepted', 'declined')", name="answer"),
        Index("ix_swap_ring_members_ring_id", "ring_id"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    ring_id: Mapped[UUID] = mapped_column(ForeignKey("swap_rings.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(SmallInteger)
    teaches: Mapped[str]
    answer: Mapped[str | None]
    answered_at: Mapped[datetime | None]
