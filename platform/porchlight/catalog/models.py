"""The tables of the skill catalog, for joins and for suggestions."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("skill_categories", "skill_search_terms")
