"""The queue of activities that staff reviews, the reviews that gurus asked for, and stored scores."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("risk_reviews", "risk_scores")


class RiskReviewRequest(UserOwned, Base):
    """A review that a guru asked for: of the risk of a service, by its name at that time. `digest`: of the activity.

    `level` is the rating with which staff answered.
    """

    __tablename__ = "risk_review_requests"
    __table_args__ = (
        ForeignKeyConstraint(["guru_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="CASCADE"),
        CheckConstraint("(level IS NULL) = (answered_at IS NULL)", name="answered"),
        CheckConstraint("level IN ('low', 'medium', 'high', 'extreme')", name="level"),
        CheckConstraint("char_length(sentence) BETWEEN 1 AND 300", name="sentence"),
        Index("ix_risk_review_requests_digest", "digest"),
        Index("ix_risk_review_requests_guru_id_service_id", "guru_id", "service_id"),
        Index(
            "uq_risk_review_requests_open",
            "user_id",
            "service_id",
            "digest",
            unique=True,
            postgresql_where=text("answered_at IS NULL"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    guru_id: Mapped[UUID]
    service_id: Mapped[UUID]
    digest: Mapped[bytes]
    service: Mapped[str]
    sentence: Mapped[str]
    level: Mapped[str | None]
    asked_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    answered_at: Mapped[datetime | None]
