"""The table of porch lights."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class PorchLight(Base):
    """The sign of an angel or guru that they are free this evening. It goes out by itself at `expires_at`.

    The location is the center of a cell, as in the user's services or profile; null if none is known.
    """

    __tablename__ = "porch_lights"
    __table_args__ = (
        CheckConstraint("(latitude IS NULL) = (longitude IS NULL)", name="location"),
        Index("ix_porch_lights_expires_at", "expires_at"),
        Index("ix_porch_lights_turned_on_at", text("turned_on_at DESC"), "user_id"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    expires_at: Mapped[datetime]
    city: Mapped[str] = mapped_column(server_default="")
    latitude: Mapped[float | None] = mapped_column(Double)
    longitude: Mapped[float | None] = mapped_column(Double)
    turned_on_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
