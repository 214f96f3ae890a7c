"""The tables of offered and wanted skills, photos, hidden listings and user locations (docs/data.md)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("hidden_listings", "skill_offer_languages")

_LEVELS = "level IN ('beginner', 'intermediate', 'advanced', 'expert')"


class UserLocation(UserOwned, Base):
    """A user's cell and availability. A job fills it from the profile; the exact location is never stored.

    `tile`: the half-degree tile of the cell, -1 without a location. `is_area`: the user chose the cell instead of the
    profile's city. `availability_bits`: one bit per part of a day (`availability.py`), 0 without information.
    """

    __tablename__ = "user_locations"

    city: Mapped[str] = mapped_column(server_default="")
    tile: Mapped[int] = mapped_column(server_default="-1")
    cell_lat: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    cell_lon: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    is_area: Mapped[bool] = mapped_column(server_default=text("false"))
    availability_bits: Mapped[int] = mapped_column(server_default="0")
    ring_check_due: Mapped[bool] = mapped_column(server_default=text("true"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class SkillOffer(UserOwned, Base):
    """A skill that the user offers, with its listing.

    `terms`: price (with `price_cents` per hour), swap, hours, free. `days`: one bit per weekday, Monday first.
    `over_limit`: it exceeds the owner's plan (app.limit_offers), so it is not `visible`.
    `visible` and the cell are copies from other tables, so that one index finds the offers of a phrase nearby.
    """

    __tablename__ = "skill_offers"
    __table_args__ = (
        UniqueConstraint("user_id", "phrase_id"),
        CheckConstraint(_LEVELS, name="level"),
        CheckConstraint("formats <@ '{in_person,online}' AND cardinality(formats) > 0", name="formats"),
        CheckConstraint("terms <@ '{price,swap,hours,free}' AND cardinality(terms) > 0", name="terms"),
        CheckConstraint("price_cents > 0 AND price_cents <= 100000000", name="price"),
        CheckConstraint("('price' = ANY (terms)) = (price_cents IS NOT NULL)", name="priced"),
        CheckConstraint("radius_km BETWEEN 1 AND 200", name="radius"),
        CheckConstraint("days BETWEEN 1 AND 127", name="days"),
        Index("ix_skill_offers_created_at", "created_at", "id"),
        Index("ix_skill_offers_title_trgm", "title", postgresql_using="gin", postgresql_ops={"title": "gin_trgm_ops"}),
        Index(
            "ix_skill_offers_title_start",
            text("lower(left(title, 2))"), "created_at", "id",
            postgresql_include=["title"],  # so that a search reads the index alone
        ),
        Index(
            "ix_skill_offers_near",
            "phrase_id", "tile", "cell_lat", "cell_lon", "user_id",
            postgresql_where=text("visible"),
        ),
        Index(
            "ix_skill_offers_online",
            "phrase_id", "tile", "user_id", "cell_lat", "cell_lon",
            postgresql_where=text("visible AND 'online' = ANY (formats)"),
        ),
    )  # fmt: skip

    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True, sort_order=-1)
    phrase_id: Mapped[int]
    title: Mapped[str]
    level: Mapped[str | None]
    details: Mapped[str] = mapped_column(server_default="")
    formats: Mapped[list[str]] = mapped_column(server_default=text("'{in_person,online}'"))
    terms: Mapped[list[str]] = mapped_column(server_default=text("'{swap}'"))
    price_cents: Mapped[int | None]
    currency: Mapped[str] = mapped_column(server_default="USD")
    radius_km: Mapped[int] = mapped_column(SmallInteger, server_default="25")
    days: Mapped[int] = mapped_column(SmallInteger, server_default="127")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    visible: Mapped[bool] = mapped_column(server_default=text("false"))
    over_limit: Mapped[bool] = mapped_column(server_default=text("false"))
    tile: Mapped[int] = mapped_column(server_default="-1")
    cell_lat: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    cell_lon: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class ListingPhoto(Base):
    """A photo of a listing: re-encoded as WebP, without metadata. `thumbnail` is for cards; `alt` may be "".

    `over_limit`: it exceeds the owner's plan (app.limit_offers); others do not see it.
    """

    __tablename__ = "listing_photos"
    __table_args__ = (
        ForeignKeyConstraint(
            ["user_id", "offer_id"],
            ["skill_offers.user_id", "skill_offers.id"],
            ondelete="CASCADE",
            name="fk_listing_photos_offer",
        ),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    offer_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True)
    position: Mapped[int] = mapped_column(SmallInteger)
    alt: Mapped[str] = mapped_column(server_default="")
    width: Mapped[int] = mapped_column(SmallInteger)
    height: Mapped[int] = mapped_column(SmallInteger)
    body: Mapped[bytes] = mapped_column(LargeBinary, info={"private": True, "picture": True})
    thumbnail: Mapped[bytes] = mapped_column(LargeBinary, info={"private": True})
    over_limit: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class SkillWant(UserOwned, Base):
    """A skill that the user wants to learn."""

    __tablename__ = "skill_wants"
    __table_args__ = (
        UniqueConstraint("user_id", "phrase_id"),
        CheckConstraint(_LEVELS, name="level"),
        Index(
            "ix_skill_wants_near",
            "phrase_id", "tile", "cell_lat", "cell_lon", "user_id",
            postgresql_where=text("visible"),
        ),
        Index(
            "ix_skill_wants_newest", "tile", "id",
            postgresql_include=["phrase_id", "user_id"], postgresql_where=text("visible"),
        ),
    )  # fmt: skip

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    phrase_id: Mapped[int]
    title: Mapped[str]
    level: Mapped[str | None]
    visible: Mapped[bool] = mapped_column(server_default=text("false"))
    tile: Mapped[int] = mapped_column(server_default="-1")
    cell_lat: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    cell_lon: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
