"""Reviews of sessions, which both sides of a booking write without seeing the other one's."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, SmallInteger, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class Review(TenantOwned, Base):
    """A review of a session: by the person, of the guru (`person`), or by the guru, of the person (`guru`).

    Until `reveals_at` only its author's side sees it (the policy `blind`). `published_at` is when the numbers began to
    count it, and when others than the two parties began to see it. `private_note` is for the guru only. `reply` is by
    the side that was reviewed. `removed_why` is the reason of staff. `service_name` is a copy. `address_hash` is the
    keyed hash of the network address that wrote it, to weigh reviews from one device as one.
    """

    __tablename__ = "reviews"
    __table_args__ = (
        UniqueConstraint("tenant_id", "booking_id", "side"),
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        CheckConstraint("side IN ('person', 'guru')", name="side"),
        CheckConstraint("stars BETWEEN 1 AND 5", name="stars"),
        CheckConstraint("length(body) <= 2000 AND length(reply) <= 2000", name="words"),
        CheckConstraint("private_note = '' OR side = 'person' AND length(private_note) <= 2000", name="private_note"),
        CheckConstraint("(removed_at IS NULL) = (removed_why = '')", name="removed"),
        Index("ix_reviews_person_id", "person_id"),
        Index("ix_reviews_tenant_id_reveals_at", "tenant_id", "reveals_at", "id"),
        # Staff list the reviews of all gurus, and a job finds those that are due.
        Index("ix_reviews_id", "id", postgresql_where=text("published_at IS NOT NULL")),
        Index("ix_reviews_reveals_at", "reveals_at", postgresql_where=text("published_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    booking_id: Mapped[UUID]
    person_id: Mapped[UUID]
    side: Mapped[str]
    service_id: Mapped[UUID]
    service_name: Mapped[str]
    stars: Mapped[int] = mapped_column(SmallInteger)
    body: Mapped[str] = mapped_column(server_default="")
    private_note: Mapped[str] = mapped_column(server_default="")
    address_hash: Mapped[bytes | None] = mapped_column(info={"private": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    reveals_at: Mapped[datetime]
    published_at: Mapped[datetime | None]
    reply: Mapped[str] = mapped_column(server_default="")
    replied_at: Mapped[datetime | None]
    removed_at: Mapped[datetime | None]
    removed_why: Mapped[str] = mapped_column(server_default="")
