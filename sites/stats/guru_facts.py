"""Store the facts about gurus that visitors weigh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tenants.db.rows import Connection

_STORE = """
INSERT INTO guru_facts (tenant_id, answer_minutes, sessions, review)
SELECT * FROM unnest(%(tenants)s::uuid[], %(minutes)s::integer[], %(sessions)s::integer[], %(reviews)s::jsonb[])
ON CONFLICT (tenant_id) DO UPDATE
   SET answer_minutes = excluded.answer_minutes, sessions = excluded.sessions, review = excluded.review,
       counted_at = app.now()"""


@dataclass(frozen=True, slots=True)
class GuruFacts:
    """A guru's usual answer time in minutes, the sessions done, and a review of the owner; None if unknown."""

    tenant_id: UUID
    answer_minutes: int | None
    sessions: int
    review: dict[str, Any] | None


def store_guru_facts(conn: Connection, facts: Sequence[GuruFacts]) -> None:
    """Store the facts of gurus. Their pages are rendered again."""
    values = {
        "tenants": [one.tenant_id for one in facts],
        "minutes": [one.answer_minutes for one in facts],
        "sessions": [one.sessions for one in facts],
        "reviews": [Jsonb(one.review) if one.review is not None else None for one in facts],
    }
    conn.execute(_STORE, values)
