"""The tables of the audit log: entries, signatures, and the head of the hash chain."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, LargeBinary, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class AuditEntry(Base):
    """An action of an admin, of the command line or of a maintenance job, with the hash of the previous entry."""

    __tablename__ = "audit_log"
    __table_args__ = (Index("ix_audit_log_subject_kind_subject_id", "subject_kind", "subject_id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    actor: Mapped[str]
    action: Mapped[str]
    subject_kind: Mapped[str] = mapped_column(server_default="")
    subject_id: Mapped[str] = mapped_column(server_default="")
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    previous: Mapped[bytes] = mapped_column(LargeBinary)
    hash: Mapped[bytes] = mapped_column(LargeBinary)


class AuditSignature(Base):
    """A signature of an entry, by a key that the database does not have. `key_name` does not reveal the key."""

    __tablename__ = "audit_seals"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key_name: Mapped[str] = mapped_column(primary_key=True)
    seal: Mapped[bytes] = mapped_column(LargeBinary)


class AuditChainHead(Base):
    """The id and the hash of the newest entry, in a separate table, so that verification finds a truncated log."""

    __tablename__ = "audit_head"

    one: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    id: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
