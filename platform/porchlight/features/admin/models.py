"""Admin sessions, failed sign-ins, impersonations and row counters."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class AdminSession(Base):
    """An admin session. `key_name`: the admin key that created it. Removing a key ends its sessions."""

    __tablename__ = "admin_sessions"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    key_name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]


class AdminAttempt(Base):
    """A sign-in with a wrong key. The rate limit counts them across workers and addresses."""

    __tablename__ = "admin_attempts"
    __table_args__ = (Index("ix_admin_attempts_at", "at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class Impersonation(Base):
    """An admin who views a console as its guru, until it ends or expires. Read-only before `write_enabled_at`."""

    __tablename__ = "impersonations"
    __table_args__ = (
        Index("ix_impersonations_session_id", "session_id"),
        Index("ix_impersonations_guru_id", "guru_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[UUID] = mapped_column(ForeignKey("admin_sessions.id", ondelete="CASCADE"))
    guru_id: Mapped[UUID] = mapped_column(ForeignKey("gurus.id", ondelete="CASCADE"))
    reason: Mapped[str]
    write_enabled_at: Mapped[datetime | None]
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class RowCounter(Base):
    """A row count, updated by triggers: the sum of the values of all slots with this name."""

    __tablename__ = "counters"

    name: Mapped[str] = mapped_column(primary_key=True)
    slot: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)
