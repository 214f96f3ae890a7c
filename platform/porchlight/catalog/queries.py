"""Search suggestions while the user types."""

from __future__ import annotations

from tenants.db.pool import Database
from tenants.kit.text import normalize_text

MIN_CHARACTERS = 2  # SPEC 9
MAX_CHARACTERS = 60  # no skill's name is longer
DEFAULT_LIMIT = 10
MAX_LIMIT = 50


async def suggestions(db: Database, query: str, limit: int = DEFAULT_LIMIT) -> list[dict[str, str]]:
    """Return the skills that start with or resemble `query`; none below two characters (SPEC 5)."""
    term = normalize_text(query)[:MAX_CHARACTERS]
    if len(term) < MIN_CHARACTERS:
        return []
    rows = await db.read(None, "SELECT name, category FROM app.suggest_skills(%s, %s)", [term, limit])
    return [{"name": name, "category": category} for name, category in rows]
