"""Who runs a guru's site."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class Membership(GuruOwned, Base):
    """The one who owns a guru. A person owns one at most."""

    __tablename__ = "memberships"
    __table_args__ = (CheckConstraint("role IN ('owner')", name="role"),)

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True, unique=True
    )
    role: Mapped[str] = mapped_column(server_default="owner")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
