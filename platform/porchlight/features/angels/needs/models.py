"""The tables of needs and offers. Row-level security limits them to `user_id`; SQL functions show rows to others."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    Numeric,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base

IMAGE_INFO: dict[str, Any] = {"private": True, "picture": True}  # the account export writes it as a file


class Need(Base):
    """A job that a user needs done.

    `asked_user_id`: the only angel who may offer, if any. `low_cents` and `high_cents`: the fair price at creation. The
    location is the center of a cell. `rating` and `review` are the owner's, for the angel's work.
    """

    __tablename__ = "needs"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key"),
        CheckConstraint("status IN ('open', 'accepted', 'done', 'withdrawn', 'expired')", name="status"),
        CheckConstraint("(status IN ('accepted', 'done')) = (accepted_offer_id IS NOT NULL)", name="accepted"),
        CheckConstraint("(accepted_user_id IS NULL) = (accepted_offer_id IS NULL)", name="accepted_user"),
        CheckConstraint("wanted_from <= wanted_until", name="days"),
        CheckConstraint("hours BETWEEN 0.5 AND 80", name="hours"),
        CheckConstraint("budget_cents BETWEEN 100 AND 1000000", name="budget"),
        CheckConstraint("rating IS NULL OR (rating BETWEEN 1 AND 5 AND status = 'done')", name="rating"),
        Index("ix_needs_service_id_id", "service_id", "id", postgresql_where=text("status = 'open'")),
        Index("ix_needs_service_id_taken", "service_id", "id", postgresql_where=text("status IN ('accepted', 'done')")),
        Index("ix_needs_expires_at", "expires_at", postgresql_where=text("status = 'open'")),
        Index("ix_needs_asked_user_id", "asked_user_id", postgresql_where=text("asked_user_id IS NOT NULL")),
        Index("ix_needs_accepted_user_id", "accepted_user_id", postgresql_where=text("accepted_user_id IS NOT NULL")),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    service_id: Mapped[str] = mapped_column(ForeignKey("angel_services.id"))
    title: Mapped[str]
    description: Mapped[str]
    asked_user_id: Mapped[UUID | None]
    wanted_from: Mapped[date]
    wanted_until: Mapped[date]
    time_note: Mapped[str] = mapped_column(server_default="")
    hours: Mapped[Decimal] = mapped_column(Numeric(4, 1))
    budget_cents: Mapped[int | None]
    low_cents: Mapped[int | None]
    high_cents: Mapped[int | None]
    city: Mapped[str]
    region: Mapped[str]
    latitude: Mapped[float] = mapped_column(Double)
    longitude: Mapped[float] = mapped_column(Double)
    status: Mapped[str] = mapped_column(server_default="open")
    accepted_offer_id: Mapped[UUID | None]
    accepted_user_id: Mapped[UUID | None]
    rating: Mapped[int | None] = mapped_column(SmallInteger)
    review: Mapped[str] = mapped_column(server_default="")
    idempotency_key: Mapped[str]
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class NeedPhoto(Base):
    """A photo of a need: re-encoded as WebP, without metadata."""

    __tablename__ = "need_photos"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "need_id"], ["needs.user_id", "needs.id"], ondelete="CASCADE", name="fk_need_photos_need"
        ),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    need_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    position: Mapped[int] = mapped_column(SmallInteger)
    body: Mapped[bytes] = mapped_column(LargeBinary, info=IMAGE_INFO)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class NeedOffer(Base):
    """An angel's offer for a need, at most one per need. The need records which offer is accepted.

    `attempts`: how many offers for the need the angel has made, with those that this one replaces.
    """

    __tablename__ = "need_offers"
    __table_args__ = (
        UniqueConstraint("user_id", "need_id"),
        CheckConstraint("price_cents BETWEEN 0 AND 1000000", name="price"),
        CheckConstraint("status IN ('open', 'withdrawn')", name="status"),
        CheckConstraint("attempts BETWEEN 1 AND 3", name="attempts"),
        Index("ix_need_offers_need_id", "need_id"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    need_id: Mapped[UUID]
    price_cents: Mapped[int]
    message: Mapped[str]
    status: Mapped[str] = mapped_column(server_default="open")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="1")


class NeedNotice(Base):
    """An email to an angel about a need, sent once. The daily limit of emails counts these rows."""

    __tablename__ = "need_notices"
    __table_args__ = (
        Index("ix_need_notices_user_id_sent_at", "user_id", "sent_at"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    need_id: Mapped[UUID] = mapped_column(primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
