"""Tables of documents, their files, events and reminders. All are isolated by `user_id`."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import PRIVATE, UserOwned
from tenants.tenancy.models import Base


class DocumentFile(UserOwned, Base):
    """An uploaded file. `key`: its secret name in the file store; `kind`: its media type.

    The row is inserted before the file is stored; `stored_at` is set afterwards. Rows without a document are deleted
    after a day, together with their files.
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
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Document(UserOwned, Base):
    """A document of a guru. Only its review changes it; a corrected document is a new row.

    It has a link (`file_url`) or an upload (`file_id`). One with neither, from before both were required, is
    `incomplete`. `expires_on` is the last day on which it is valid.
    """

    __tablename__ = "documents"
    __table_args__ = (
        CheckConstraint("type IN ('license', 'insurance', 'auto', 'cert', 'id')", name="type"),
        CheckConstraint("status IN ('pending', 'approved', 'rejected', 'lapsed', 'incomplete')", name="status"),
        CheckConstraint("file_url = '' OR file_id IS NULL", name="file"),
        CheckConstraint(
            "status IN ('rejected', 'lapsed', 'incomplete') OR file_url <> '' OR file_id IS NOT NULL", name="viewable"
        ),
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
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class DocumentEvent(UserOwned, Base):
    """An event in a document's history. `actor`: `owner`, `sweep` or the name of an admin key."""

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
    actor: Mapped[str] = mapped_column(info=PRIVATE)  # the account export does not name our staff
    note: Mapped[str] = mapped_column(server_default="")
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class DocumentReminder(UserOwned, Base):
    """A reminder, enqueued once, that a document expires in `days` days."""

    __tablename__ = "document_reminders"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "document_id"], ["documents.user_id", "documents.id"], ondelete="CASCADE"),
    )

    document_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    days: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
