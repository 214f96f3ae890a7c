"""The queue of activities that staff reviews because the risk engine does not know them, and stored scores."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import REAL, CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class RiskReview(Base):
    """An activity that waits for review, or that staff has decided.

    `asked_by` is the user who asked about it, unless others asked too; the review is deleted with the account.
    `category` is blank for the titles of listings. `digest` is the hash of the normalized words, so each activity is in
    the queue once. `level` is the decision. Only staff sees `note`.
    """

    __tablename__ = "risk_reviews"
    __table_args__ = (
        CheckConstraint("level IN ('low', 'medium', 'high', 'extreme')", name="level"),
        CheckConstraint("(level IS NULL) = (decided_at IS NULL)", name="decided"),
        Index("ix_risk_reviews_asked_by", "asked_by"),
        Index("ix_risk_reviews_last_seen_at", "last_seen_at"),
        Index("ix_risk_reviews_waiting", text("occurrences DESC"), "id", postgresql_where=text("level IS NULL")),
        Index("ix_risk_reviews_decided", "decided_at", "id", postgresql_where=text("level IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    asked_by: Mapped[UUID | None] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"))
    category: Mapped[str]
    activity: Mapped[str]
    digest: Mapped[bytes] = mapped_column(unique=True)
    occurrences: Mapped[int] = mapped_column(server_default="1")
    level: Mapped[str | None]
    note: Mapped[str] = mapped_column(server_default="")
    decided_by: Mapped[str] = mapped_column(server_default="")
    decided_at: Mapped[datetime | None]
    first_seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class RiskScore(Base):
    """The classifier's score of a text in a listing.

    `digest` is the hash of the classifier's name and the normalized words. Deleted after a while, and computed again.
    """

    __tablename__ = "risk_scores"

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    score: Mapped[float] = mapped_column(REAL)
    created_on: Mapped[date] = mapped_column(server_default=text("(app.now())::date"))
