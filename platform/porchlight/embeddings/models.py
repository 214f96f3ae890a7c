"""Phrases of skills and searches, their relations and their embeddings. The tables hold no user's id."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects.postgresql import base
from sqlalchemy.types import UserDefinedType

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("phrase_relations", "phrase_vectors", "phrases")


class Vector(UserDefinedType[Any]):
    """pgvector's type `vector`. Only SQL reads and writes its values."""

    cache_ok = True

    def __init__(self, dimensions: int | None = None, **_options: Any) -> None:
        self.dimensions = dimensions

    def get_col_spec(self, **_options: Any) -> str:
        """Return the type as SQL."""
        return "vector" if self.dimensions is None else f"vector({self.dimensions})"


base.ischema_names["vector"] = Vector
