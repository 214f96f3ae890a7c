"""The catalogue in the database: for joins, for suggestions, and what nobody could rate yet."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base


class SkillCategory(Base):
    """A category of `catalogue.toml`. Planted by `porchlight migrate`; nobody else writes here."""

    __tablename__ = "skill_categories"
    __table_args__ = (CheckConstraint("risk_level IN ('low', 'medium', 'high', 'extreme')", name="risk_level"),)

    slug: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    position: Mapped[int]
    risk_level: Mapped[str]
    popular: Mapped[bool]
    coming_soon: Mapped[bool]
    requires_license: Mapped[bool]
    requires_gl: Mapped[bool]
    requires_auto_insurance: Mapped[bool]
    notes: Mapped[str]


class SkillNeedle(Base):
    """One way to begin typing a skill's name: the name itself, and its tail from each further word.

    `needle` is folded (no accents, lower case) and compared byte by byte; `letters` is its length in characters.
    """

    __tablename__ = "skill_needles"
    __table_args__ = (
        Index("ix_skill_needles_needle", "needle"),
        Index("ix_skill_needles_letters", "letters"),
        Index(
            "ix_skill_needles_needle_trgm",
            "needle",
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
            postgresql_ops={"needle": "gin_trgm_ops"},
        ),
    )

    category_slug: Mapped[str] = mapped_column(
        ForeignKey("skill_categories.slug", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(primary_key=True)
    needle: Mapped[str] = mapped_column(Text(collation="C"), primary_key=True)
    letters: Mapped[int]
    popular: Mapped[bool]


class RiskReview(Base):
    """An activity the risk engine does not know, waiting for a person or decided. Whose it is, is not kept (DESIGN 11).

    `category` is blank for what listings are called. `note` is for staff alone.
    """

    __tablename__ = "risk_reviews"
    __table_args__ = (
        CheckConstraint("level IN ('low', 'medium', 'high', 'extreme')", name="level"),
        CheckConstraint("(level IS NULL) = (decided_at IS NULL)", name="decided"),
        Index("ix_risk_reviews_last_seen_at", "last_seen_at"),
        Index("ix_risk_reviews_waiting", text("seen DESC"), "id", postgresql_where=text("level IS NULL")),
        Index("ix_risk_reviews_decided", "decided_at", "id", postgresql_where=text("level IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    category: Mapped[str]
    activity: Mapped[str]
    digest: Mapped[bytes] = mapped_column(unique=True)  # of the folded words: the same activity waits once
    seen: Mapped[int] = mapped_column(server_default="1")
    level: Mapped[str | None]  # what a person decided
    note: Mapped[str] = mapped_column(server_default="")
    decided_by: Mapped[str] = mapped_column(server_default="")
    decided_at: Mapped[datetime | None]
    first_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
