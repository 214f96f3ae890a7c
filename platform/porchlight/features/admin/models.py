"""Admin keys and sessions, failed sign-ins, impersonations and row counters."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class AdminKey(Base):
    """An admin key of a named person, who is the actor in the audit log. The database has only the key's hash."""

    __tablename__ = "admin_keys"
    __table_args__ = (
        Index("ix_admin_keys_name", func.lower(text("name")), unique=True, postgresql_where=text("revoked_at IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    key_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class AdminSession(Base):
    """An admin session. Removing its key ends it.

    `key_name`: the name of the key's holder, or of a shared key of the settings. `key_id`: None for a shared key.
    """

    __tablename__ = "admin_sessions"
    __table_args__ = (Index("ix_admin_sessions_key_id", "key_id"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    key_name: Mapped[str]
    key_id: Mapped[UUID | None] = mapped_column(ForeignKey("admin_keys.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    expires_at: Mapped[datetime]


class AdminAttempt(Base):
    """A sign-in with a wrong key. The limits count them across workers: of one address, and of all."""

    __tablename__ = "admin_attempts"
    __table_args__ = (
        Index("ix_admin_attempts_at", "at"),
        Index("ix_admin_attempts_address_hash_at", "address_hash", "at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    address_hash: Mapped[bytes] = mapped_column(LargeBinary, server_default="")


class AdminAddress(Base):
    """A network address from which an admin signed in. Wrong keys of others do not keep the admin out there."""

    __tablename__ = "admin_addresses"
    __table_args__ = (Index("ix_admin_addresses_signed_in_at", "signed_in_at"),)

    address_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    signed_in_at: Mapped[datetime]


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
    started_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class RowCounter(Base):
    """A row count, updated by triggers: the sum of the values of all slots with this name."""

    __tablename__ = "counters"

    name: Mapped[str] = mapped_column(primary_key=True)
    slot: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)


class DailyCounter(Base):
    """A count of a day's rows (UTC), updated by triggers: the sum of the values of all slots with this name and day."""

    __tablename__ = "daily_counters"

    name: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    slot: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)
