"""The tenant, and the mixin of every table whose rows belong to one."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    MetaData,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("domains", "memberships", "retired_labels")

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

# Marks a user's table whose rows are deleted with the account at once, not with its last record weeks later.
DELETED_WITH_ACCOUNT = {"deleted_with_account": True}


class Base(DeclarativeBase):
    """The base of every table. Times are timestamptz, strings are text, lists are arrays."""

    metadata = MetaData(naming_convention=NAMING_CONVENTION)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        str: Text(),
        list[str]: ARRAY(Text()),
    }


class Guru(Base):
    """A guru: the tenant. Its id is the `tenant_id` of all its rows in other tables.

    A trigger increments `content_version` in the transaction of every change that the site shows. `published` is set
    by the owner; `status` follows it by trigger, unless staff suspended the site. `main_domain`: the custom domain that
    the guru chose as the site's main address, "" for the subdomain, NULL while they chose none.
    """

    __tablename__ = "gurus"
    __table_args__ = (
        CheckConstraint("status IN ('active', 'suspended', 'unpublished')", name="status"),
        CheckConstraint("appearance IN ('day', 'dusk', 'device')", name="appearance"),
        CheckConstraint("label = lower(label) AND length(label) BETWEEN 1 AND 63", name="label"),
        CheckConstraint("typeface IN ('warm', 'clear', 'bookish')", name="typeface"),
        Index("ix_gurus_status_created_at", "status", "created_at"),
        Index("ix_gurus_status", "status", "id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(unique=True)
    status: Mapped[str] = mapped_column(server_default="active")
    character: Mapped[str]
    category: Mapped[str]
    primary_skills: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    tagline: Mapped[str] = mapped_column(server_default="")
    city: Mapped[str] = mapped_column(server_default="")
    about_markdown: Mapped[str] = mapped_column(server_default="")
    about_html: Mapped[str] = mapped_column(server_default="")
    primary_color: Mapped[str] = mapped_column(server_default="#22c55e")
    secondary_color: Mapped[str] = mapped_column(server_default="#0ea5e9")
    icon: Mapped[str] = mapped_column(server_default="star")
    emoji: Mapped[str] = mapped_column(server_default="")
    appearance: Mapped[str] = mapped_column(server_default="dusk")
    typeface: Mapped[str] = mapped_column(server_default="warm")
    seo_title: Mapped[str] = mapped_column(server_default="")
    seo_description: Mapped[str] = mapped_column(server_default="")
    contact_email: Mapped[str] = mapped_column(server_default="")
    content_version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    published: Mapped[bool] = mapped_column(server_default=text("true"))
    photo_url: Mapped[str] = mapped_column(server_default="")
    suspended_at: Mapped[datetime | None]
    suspension_reason: Mapped[str] = mapped_column(server_default="")
    main_domain: Mapped[str | None]


class TenantOwned:
    """The mixin of every tenant-isolated table: `tenant_id` leads its primary key and its unique constraints."""

    @declared_attr
    def tenant_id(cls) -> Mapped[UUID]:
        """The guru this row belongs to."""
        return mapped_column(ForeignKey("gurus.id", ondelete="CASCADE"), primary_key=True, sort_order=-2)
