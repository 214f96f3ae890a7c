"""The tables of the search index and of saved searches."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import REAL

from tenants.tenancy.models import Base


class SearchEntry(Base):
    """The index entry of a public page: a guru, a post, or a service of Angel's List. The worker writes it."""

    __tablename__ = "search_entries"
    __table_args__ = (
        CheckConstraint("kind IN ('guru', 'post', 'angel')", name="kind"),
        Index("ix_search_entries_owner_id", "owner_id"),
    )

    kind: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[UUID | None]
    version: Mapped[int] = mapped_column(BigInteger, server_default="0")
    title: Mapped[str]
    summary: Mapped[str]
    label: Mapped[str] = mapped_column(server_default="")
    slug: Mapped[str] = mapped_column(server_default="")
    price_cents: Mapped[int | None] = mapped_column(BigInteger)
    city: Mapped[str] = mapped_column(server_default="")
    tile: Mapped[int] = mapped_column(server_default="-1")
    cell_lat: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    cell_lon: Mapped[int] = mapped_column(SmallInteger, server_default="-1")
    indexed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class SearchEntryPhrase(Base):
    """A phrase of an entry. `weight` (up to 1) is the phrase's share of the entry, `tile` is where the entry is."""

    __tablename__ = "search_entry_phrases"
    __table_args__ = (
        ForeignKeyConstraint(["kind", "item"], ["search_entries.kind", "search_entries.item"], ondelete="CASCADE"),
        CheckConstraint("weight > 0 AND weight <= 1", name="weight"),
        Index("ix_search_entry_phrases_kind_item", "kind", "item"),
        Index("ix_search_entry_phrases_near", "phrase_id", "kind", "tile"),
        # What app.teaching_gurus reads.
        Index(
            "ix_search_entry_phrases_gurus", "phrase_id", "item",
            postgresql_include=["weight"], postgresql_where=text("kind = 'guru' AND weight >= 0.8"),
        ),
    )  # fmt: skip

    phrase_id: Mapped[int] = mapped_column(ForeignKey("phrases.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    item: Mapped[str] = mapped_column(primary_key=True)
    weight: Mapped[float] = mapped_column(REAL)
    tile: Mapped[int] = mapped_column(server_default=text("-1"))


class SavedSearch(Base):
    """A search with email alerts. `seen_at`: results that are older were sent. Under row-level security."""

    __tablename__ = "saved_searches"
    __table_args__ = ({"info": {"deleted_with_account": True}},)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    words: Mapped[str]
    filters: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
