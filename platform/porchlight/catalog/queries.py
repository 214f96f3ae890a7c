"""Search suggestions while the user types."""

from __future__ import annotations

from typing import Any

from tenants.db.pool import Database
from tenants.kit.text import normalize_text

MIN_CHARACTERS = 2  # SPEC 9
MAX_CHARACTERS = 60  # no skill's name is longer
DEFAULT_LIMIT = 10
MAX_LIMIT = 50

# Typos: so many in a text of 1, 2, 3 ... characters, and in longer ones. A swap of two letters counts as two.
EDITS_BY_LENGTH = (1, 1, 1, 3, 3, 4)
MIN_FUZZY_LENGTH = 3  # characters; shorter texts are only beginnings
LENGTH_SLACK = 2  # characters more or less; common trigrams find longer terms
MAX_FUZZY_LENGTH = 8
MIN_TRIGRAM_SIMILARITY = 0.3
# What a suggestion costs, beside its typos: the cheapest come first.
BEGINNING_COST = 0.5  # a term that goes on after the text
PART_COST = 1.5  # one that goes on, with typos in its beginning
ALIAS_COST = 0.25  # another word for the skill
TRIGRAM_GAIN = 2.0  # the less common they are, the more it costs
SPARE_COST = 1.5
MOST_ABOVE_BEST = 2.25
SUGGESTIONS = """
SELECT name, category FROM app.suggest_skills(
  typed => %(typed)s, max_results => %(max_results)s, edits_by_length => %(edits_by_length)s::integer[],
  min_length => %(min_length)s, length_slack => %(length_slack)s, max_length => %(max_length)s,
  min_similarity => %(min_similarity)s, beginning_cost => %(beginning_cost)s, part_cost => %(part_cost)s,
  alias_cost => %(alias_cost)s, trigram_gain => %(trigram_gain)s, spare_cost => %(spare_cost)s,
  most_above_best => %(most_above_best)s)"""


def suggestion_params(typed: str, limit: int) -> dict[str, Any]:
    """Return the parameters of SUGGESTIONS, for a normalized text."""
    return {
        "typed": typed,
        "max_results": limit,
        "edits_by_length": list(EDITS_BY_LENGTH),
        "min_length": MIN_FUZZY_LENGTH,
        "length_slack": LENGTH_SLACK,
        "max_length": MAX_FUZZY_LENGTH,
        "min_similarity": MIN_TRIGRAM_SIMILARITY,
        "beginning_cost": BEGINNING_COST,
        "part_cost": PART_COST,
        "alias_cost": ALIAS_COST,
        "trigram_gain": TRIGRAM_GAIN,
        "spare_cost": SPARE_COST,
        "most_above_best": MOST_ABOVE_BEST,
    }


async def suggestions(db: Database, query: str, limit: int = DEFAULT_LIMIT) -> list[dict[str, str]]:
    """Return the skills that start with or resemble `query`; none below two characters (SPEC 5)."""
    term = normalize_text(query)[:MAX_CHARACTERS]
    if len(term) < MIN_CHARACTERS:
        return []
    rows = await db.read(None, SUGGESTIONS, suggestion_params(term, limit))
    return [{"name": name, "category": category} for name, category in rows]
