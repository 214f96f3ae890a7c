"""The tables of the skill catalog, for joins and for suggestions."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class SkillCategory(Base):
    """A category of `catalog.toml`. Only `porchlight migrate` writes this table."""

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


class SkillSearchTerm(Base):
    """A prefix-searchable term for a skill: its name, or the name's tail from a later word.

    `term` is normalized (no accents, lower case) and compared byte by byte. `term_length` is in characters.
    """

    __tablename__ = "skill_search_terms"
    __table_args__ = (
        Index("ix_skill_search_terms_term", "term"),
        Index("ix_skill_search_terms_term_length", "term_length"),
        Index(
            "ix_skill_search_terms_term_trgm",
            "term",
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
            postgresql_ops={"term": "gin_trgm_ops"},
        ),
    )

    category_slug: Mapped[str] = mapped_column(
        ForeignKey("skill_categories.slug", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(primary_key=True)
    term: Mapped[str] = mapped_column(Text(collation="C"), primary_key=True)
    term_length: Mapped[int]
    popular: Mapped[bool]
