"""The table of reports."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class Report(Base):
    """A report about a site, post, profile, listing or question.

    Requests create it by `app.create_report`; only admins read it.

    `subject_name`: the subject in URLs (label, label/slug, handle); `subject_title`: its title when it was reported;
    `guru_id`: the guru of a site or post. `address_hash` and `network_hash`: keyed hashes of the reporter's network
    address, or of a verified user, for limits only; `digest` distinguishes a resend from another report under the same
    key.
    """

    __tablename__ = "reports"
    __table_args__ = (
        CheckConstraint("subject_kind IN ('site', 'post', 'profile', 'listing', 'question')", name="subject_kind"),
        CheckConstraint("status IN ('open', 'resolved')", name="status"),
        CheckConstraint("(status = 'open') = (outcome = '')", name="outcome"),
        CheckConstraint("(status = 'open') = (resolved_at IS NULL)", name="resolved"),
        Index("ix_reports_status", "status", "id"),
        Index("ix_reports_subject", "subject_kind", "subject_id"),
        Index("ix_reports_guru_id", "guru_id"),
        Index("ix_reports_reporter_id", "reporter_id"),
        Index("ix_reports_created_at", "created_at"),
        Index("ix_reports_address_hash_created_at", "address_hash", "created_at"),
        Index(
            "ix_reports_subject_name_trgm",
            "subject_name",
            postgresql_using="gin",
            postgresql_ops={"subject_name": "gin_trgm_ops"},
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    subject_kind: Mapped[str]
    subject_id: Mapped[UUID]
    subject_name: Mapped[str]
    subject_title: Mapped[str]
    guru_id: Mapped[UUID | None] = mapped_column(ForeignKey("gurus.id", ondelete="SET NULL"))
    reason: Mapped[str]
    details: Mapped[str] = mapped_column(server_default="")
    reporter_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.user_id", ondelete="SET NULL"))
    address_hash: Mapped[bytes] = mapped_column(LargeBinary)
    network_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[str] = mapped_column(server_default="open")
    outcome: Mapped[str] = mapped_column(server_default="")
    note: Mapped[str] = mapped_column(server_default="")
    resolved_by: Mapped[str] = mapped_column(server_default="")
    resolved_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
