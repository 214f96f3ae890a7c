"""The tables of the search index and of saved searches."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("search_entries", "search_entry_phrases")


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
