"""Tables of accepted waivers and of their signed chain."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import PRIVATE
from tenants.tenancy.models import Base, TenantOwned

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("waiver_heads", "waiver_links")


class Waiver(Base):
    """An accepted waiver. It stays when the account is deleted; only `erasable` is emptied then.

    `record`: the canonical JSON, with its hash `sha256`. `guru_id`: the guru whose service is joined, with the version
    of their own text that was accepted. `ended_at`: when the participant withdrew it, which sets `withdrawn_at` too, or
    a new text ended it. `pdf` becomes empty when the drawn signature that it shows is erased. `chain_id`, `number`: its
    link. Row-level security isolates it by `user_id`; only app.append_waiver adds rows, and a trigger rejects changes.
    """

    __tablename__ = "waivers"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key"),
        UniqueConstraint("user_id", "chain_id", "number"),
        CheckConstraint("level IN ('low', 'medium', 'high', 'extreme')", name="level"),
        CheckConstraint("sha256 = encode(sha256(convert_to(record, 'UTF8')), 'hex')", name="sha256"),
        CheckConstraint("expires_at > accepted_at", name="times"),
        CheckConstraint("withdrawn_at = ended_at", name="withdrawal"),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    exchange_id: Mapped[str]
    guru_id: Mapped[UUID | None]
    level: Mapped[str]
    text_version: Mapped[int]
    guru_text_version: Mapped[int | None]
    record: Mapped[str]
    sha256: Mapped[str]
    erasable: Mapped[dict[str, Any]] = mapped_column(JSONB)
    signed: Mapped[bool]
    accepted_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    # Not in the account export, which has the record. The receipt has it.
    pdf: Mapped[bytes] = mapped_column(LargeBinary, info=PRIVATE)
    chain_id: Mapped[str]
    number: Mapped[int] = mapped_column(BigInteger)
    idempotency_key: Mapped[str | None] = mapped_column(info=PRIVATE)
    digest: Mapped[bytes] = mapped_column(LargeBinary, info=PRIVATE)
    withdrawn_at: Mapped[datetime | None]


class GuruWaiverText(TenantOwned, Base):
    """A version of a guru's own waiver text. `body` is "" when the guru removed the text. Rows never change."""

    __tablename__ = "guru_waiver_texts"
    __table_args__ = (
        CheckConstraint("version > 0", name="version"),
        CheckConstraint("char_length(body) <= 1000", name="body"),
    )

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class ContactView(TenantOwned, Base):
    """A view of the emergency contacts of a session. Both parties see it (`tenants.db.rls.PARTY_ROWS`).

    `viewed_by`: the owner of the guru. Only app.emergency_contacts adds rows.
    """

    __tablename__ = "contact_views"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        Index("ix_contact_views_person_id", "person_id"),
        Index("ix_contact_views_tenant_id_booking_id", "tenant_id", "booking_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    booking_id: Mapped[UUID]
    person_id: Mapped[UUID]
    viewed_by: Mapped[UUID]
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
