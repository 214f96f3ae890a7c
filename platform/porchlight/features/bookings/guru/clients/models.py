"""Notes of gurus about their clients. Only the guru sees them (`tenants.db.rls.ACTING_TABLES`)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned

MAX_NOTE_CHARACTERS = 2000


class ClientNote(TenantOwned, Base):
    """The guru's note about the person of a booking.

    It is kept at one of the person's bookings, so that it passes with that to the account that claims it, and is
    deleted with the account. A claim can leave a client with two.
    """

    __tablename__ = "client_notes"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        CheckConstraint(f"length(body) BETWEEN 1 AND {MAX_NOTE_CHARACTERS}", name="body"),
    )

    booking_id: Mapped[UUID] = mapped_column(primary_key=True)
    body: Mapped[str]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
