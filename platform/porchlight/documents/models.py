"""Documents of gurus, the files behind them, and what happened to them. Every table is fenced by `user_id`."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from tenants.models import Base


class Owned:
    """Mixin of tables whose rows belong to a user: `user_id` leads the primary key."""

    @declared_attr
    def user_id(cls) -> Mapped[UUID]:
        """The user this row belongs to."""
        return mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True, sort_order=-2)


class DocumentFile(Owned, Base):
    """An upload as we keep it. `key` is its name in the store, known to its row alone.

    The row comes before the bytes: `stored_at` says that they are there. A row that nobody made a document of within
    a day is swept, and its bytes with it.
    """

    __tablename__ = "document_files"
    __table_args__ = (
        CheckConstraint("kind IN ('application/pdf', 'image/jpeg', 'image/png')", name="kind"),
        Index("ix_document_files_created_at", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    key: Mapped[str] = mapped_column(info={"private": True, "kept": True})
    kind: Mapped[str]
    name: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger, server_default="0")
    sha256: Mapped[bytes | None] = mapped_column(LargeBinary)
    stored_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Document(Owned, Base):
    """A document as it was sent in. It never changes but for its review; a better one is a new document.

    Either a link (`file_url`) or an upload (`file_id`) or neither. `expires_on` is the last day on which it counts.
    """

    __tablename__ = "documents"
    __table_args__ = (
        CheckConstraint("type IN ('license', 'insurance', 'auto', 'cert', 'id')", name="type"),
        CheckConstraint("status IN ('pending', 'approved', 'rejected', 'lapsed')", name="status"),
        CheckConstraint("file_url = '' OR file_id IS NULL", name="file"),
        CheckConstraint("file_url = '' OR file_url ~ '^https://'", name="file_url"),
        CheckConstraint("issued_on <= expires_on", name="dates"),
        UniqueConstraint("user_id", "file_id"),
        ForeignKeyConstraint(["user_id", "file_id"], ["document_files.user_id", "document_files.id"]),
        Index("ix_documents_pending", "id", postgresql_where=text("status = 'pending'")),
        Index("ix_documents_approved", "expires_on", postgresql_where=text("status = 'approved'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    type: Mapped[str]
    category: Mapped[str] = mapped_column(server_default="")
    provider: Mapped[str] = mapped_column(server_default="")
    number: Mapped[str] = mapped_column(server_default="")
    issued_on: Mapped[date | None]
    expires_on: Mapped[date | None]
    file_url: Mapped[str] = mapped_column(server_default="")
    file_id: Mapped[UUID | None]
    status: Mapped[str] = mapped_column(server_default="pending")
    reason: Mapped[str] = mapped_column(server_default="")
    reviewed_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DocumentEvent(Owned, Base):
    """What happened to a document: `actor` is `owner`, `sweep` or the name of a staff key."""

    __tablename__ = "document_events"
    __table_args__ = (
        CheckConstraint(
            "kind IN ('submitted', 'opened', 'approved', 'rejected', 'reminded', 'lapsed')",
            name="kind",
        ),
        ForeignKeyConstraint(["user_id", "document_id"], ["documents.user_id", "documents.id"], ondelete="CASCADE"),
    )

    document_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    kind: Mapped[str]
    actor: Mapped[str]
    note: Mapped[str] = mapped_column(server_default="")
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class DocumentReminder(Owned, Base):
    """That a document ends in `days` days was said; its key is why it is said once."""

    __tablename__ = "document_reminders"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "document_id"], ["documents.user_id", "documents.id"], ondelete="CASCADE"),
    )

    document_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    days: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
