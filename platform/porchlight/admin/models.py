"""What staff leave behind: sessions, attempts, looks at gurus' consoles, and the log of every act."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base


class AdminSession(Base):
    """A staff session. `key_name` tells which key opened it: a key taken away ends its sessions."""

    __tablename__ = "admin_sessions"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    key_name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]


class AdminAttempt(Base):
    """A key that was tried and found wrong. Counted across workers and addresses."""

    __tablename__ = "admin_attempts"
    __table_args__ = (Index("ix_admin_attempts_at", "at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class Impersonation(Base):
    """Staff who look at a site as its guru. Read-only until `raised_at`; over at `expires_at` or `ended_at`."""

    __tablename__ = "impersonations"
    __table_args__ = (
        Index("ix_impersonations_session_id", "session_id"),
        Index("ix_impersonations_guru_id", "guru_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(ForeignKey("admin_sessions.id", ondelete="CASCADE"))
    guru_id: Mapped[UUID] = mapped_column(ForeignKey("gurus.id", ondelete="CASCADE"))
    reason: Mapped[str]
    raised_at: Mapped[datetime | None]
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class HiddenListing(Base):
    """A listing that staff hid, by person and skill: taken out of the profile and put back, it stays hidden."""

    __tablename__ = "hidden_listings"

    owner_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    phrase_id: Mapped[int] = mapped_column(ForeignKey("phrases.id"), primary_key=True, autoincrement=False)
    reason: Mapped[str]
    hidden_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Total(Base):
    """How many there are of something: the sum of a name's slots, kept by triggers."""

    __tablename__ = "totals"

    name: Mapped[str] = mapped_column(primary_key=True)
    slot: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)


class AuditEntry(Base):
    """An act of staff, of the command line or of a sweep. Each carries the hash of the one before (see `audit`)."""

    __tablename__ = "audit_log"
    __table_args__ = (Index("ix_audit_log_subject_kind_subject_id", "subject_kind", "subject_id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    actor: Mapped[str]
    action: Mapped[str]
    subject_kind: Mapped[str] = mapped_column(server_default="")
    subject_id: Mapped[str] = mapped_column(server_default="")
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    previous: Mapped[bytes] = mapped_column(LargeBinary)
    hash: Mapped[bytes] = mapped_column(LargeBinary)


class AuditSeal(Base):
    """A seal of an entry, by a key that the database never sees. `key_name` gives nothing of it away."""

    __tablename__ = "audit_seals"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key_name: Mapped[str] = mapped_column(primary_key=True)
    seal: Mapped[bytes] = mapped_column(LargeBinary)


class AuditHead(Base):
    """The newest entry's number and hash, kept apart, so that entries cut off at the end are missed too."""

    __tablename__ = "audit_head"

    one: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    id: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[bytes] = mapped_column(LargeBinary)
