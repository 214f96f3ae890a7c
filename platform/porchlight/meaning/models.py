"""Phrases: what people call their skills and searches, each once, and how they relate. Nobody's in particular."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, func, text
from sqlalchemy.dialects.postgresql import base
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import REAL, UserDefinedType

from tenants.models import Base


class Vector(UserDefinedType[Any]):
    """pgvector's type. Vectors are written and compared in SQL alone."""

    cache_ok = True

    def __init__(self, dimensions: int | None = None, **_more: Any) -> None:
        self.dimensions = dimensions

    def get_col_spec(self, **_more: Any) -> str:
        """As SQL spells it."""
        return "vector" if self.dimensions is None else f"vector({self.dimensions})"


base.ischema_names["vector"] = Vector


class Phrase(Base):
    """A text by its folded words. `in_use`: somebody offers or wants it, so that it can be found.

    `related_by`: what computed its relations ("words" or a model's name); None while it waits for the job.
    """

    __tablename__ = "phrases"
    __table_args__ = (
        Index("ix_phrases_words_trgm", "words", postgresql_using="gin", postgresql_ops={"words": "gin_trgm_ops"}),
        Index("ix_phrases_unrelated", "id", postgresql_where=text("related_by IS NULL")),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    words: Mapped[str] = mapped_column(unique=True)
    in_use: Mapped[bool]
    related_by: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class PhraseRelation(Base):
    """How likely an offer called `other_id` serves somebody who asks for `phrase_id`; kept for both directions."""

    __tablename__ = "phrase_relations"
    __table_args__ = (
        CheckConstraint("fit > 0 AND fit < 1", name="fit"),
        Index("ix_phrase_relations_other_id", "other_id"),
    )

    phrase_id: Mapped[int] = mapped_column(ForeignKey("phrases.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("phrases.id", ondelete="CASCADE"), primary_key=True)
    fit: Mapped[float] = mapped_column(REAL)


class PhraseVector(Base):
    """The meaning of a phrase in use. The table is there only where pgvector is."""

    __tablename__ = "phrase_vectors"
    __table_args__ = (
        Index(
            "ix_phrase_vectors_embedding",
            "embedding",
            postgresql_using="hnsw",
            postgresql_ops={"embedding": "vector_cosine_ops"},
        ),
    )

    phrase_id: Mapped[int] = mapped_column(
        ForeignKey("phrases.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    embedding: Mapped[Any] = mapped_column(Vector(384))
