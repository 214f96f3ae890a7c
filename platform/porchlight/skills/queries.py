"""Suggestions while one types."""

from __future__ import annotations

from porchlight.skills.catalogue import folded
from tenants.kit.db import Database

LEAST = 2  # characters (SPEC 9)
LIMIT = 10
MOST = 50
LONGEST = 60  # characters that are looked at; no skill's name is longer


async def suggestions(db: Database, typed: str, limit: int = LIMIT) -> list[dict[str, str]]:
    """Skills that `typed` begins, or nearly; none for fewer than two characters (SPEC 5)."""
    wanted = folded(typed)[:LONGEST]
    if len(wanted) < LEAST:
        return []
    rows = await db.read(None, "SELECT name, category FROM app.suggest_skills(%s, %s)", [wanted, limit])
    return [{"name": name, "category": category} for name, category in rows]
