"""Phrases of skills and searches, their relations and their embeddings. The tables hold no user's id."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, func, text
from sqlalchemy.dialects.postgresql import base
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import REAL, UserDefinedType

from tenants.tenancy.models import Base


class Vector(UserDefinedType[Any]):
    """pgvector's type `vector`. Only SQL reads and writes its values."""

    cache_ok = True

    def __init__(self, dimensions: int | None = None, **_options: Any) -> None:
        self.dimensions = dimensions

    def get_col_spec(self, **_options: Any) -> str:
        """Return the type as SQL."""
        return "vector" if self.dimensions is None else f"vector({self.dimensions})"


base.ischema_names["vector"] = Vector


class Phrase(Base):
    """A distinct text, normalized. `in_use`: a user offers or wants it, so search can find it.

    `related_by`: the method that computed its relations (a model's name or "words-1"); None until the job has run.
    `searched_on`: the last day of a search for it, where it is not in use.
    """

    __tablename__ = "phrases"
    __table_args__ = (
        Index("ix_phrases_searched_on", "searched_on", postgresql_where=text("NOT in_use")),
        Index("ix_phrases_words_trgm", "words", postgresql_using="gin", postgresql_ops={"words": "gin_trgm_ops"}),
        Index("ix_phrases_words_english", text("to_tsvector('english', words)"), postgresql_using="gin"),
        Index(
            "ix_phrases_unspaced",
            text("app.unspaced_grams(words)"),
            postgresql_using="gin",
            postgresql_where=text("app.unspaced_grams(words) IS NOT NULL"),
        ),
        Index("ix_phrases_unrelated", "id", postgresql_where=text("related_by IS NULL")),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    words: Mapped[str] = mapped_column(unique=True)
    in_use: Mapped[bool]
    related_by: Mapped[str | None]
    searched_on: Mapped[date] = mapped_column(server_default=text("(app.now())::date"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PhraseRelation(Base):
    """The probability that an offer of `other_id` serves a want of `phrase_id`. Each direction has its own row."""

    __tablename__ = "phrase_relations"
    __table_args__ = (
        CheckConstraint("probability > 0 AND probability < 1", name="probability"),
        Index("ix_phrase_relations_other_id", "other_id"),
    )

    phrase_id: Mapped[int] = mapped_column(ForeignKey("phrases.id", ondelete="CASCADE"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("phrases.id", ondelete="CASCADE"), primary_key=True)
    probability: Mapped[float] = mapped_column(REAL)


class PhraseVector(Base):
    """The embedding of a phrase in use. The table exists only in databases with pgvector."""

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
