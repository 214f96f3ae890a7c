"""Search suggestions while the user types."""

from __future__ import annotations

from tenants.db.pipeline import Statement
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
# For the operator <% of the statement that follows in the same transaction.
_SET_SIMILARITY = "SELECT set_config('pg_trgm.word_similarity_threshold', %(min_similarity)s::text, true)"
# Exact beginnings, common trigrams, and similar spelling: each is a query of its own, so that each uses its index.
_SUGGESTIONS = """
WITH candidates AS (
  SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
   WHERE n.term >= %(typed)s::text AND n.term < %(typed)s || chr(1114111)
  UNION
  SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
   WHERE %(is_fuzzy)s AND %(typed)s <%% n.term
  UNION
  SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
   WHERE %(is_fuzzy)s AND n.term_length BETWEEN %(least_length)s AND %(most_length)s
     AND least(levenshtein_less_equal(%(typed)s, n.term, %(max_edits)s),
               levenshtein_less_equal(%(typed)s, left(n.term, %(length)s), %(max_edits)s)) <= %(max_edits)s
), scored AS (
  SELECT n.name, n.category_slug, n.popular,
         CASE WHEN n.term = %(typed)s THEN 0
              WHEN n.term ^@ %(typed)s THEN %(beginning_cost)s
              ELSE least(1 + levenshtein_less_equal(%(typed)s, n.term, %(max_edits)s),
                         %(part_cost)s + levenshtein_less_equal(%(typed)s, left(n.term, %(length)s), %(max_edits)s))
         END + CASE WHEN length(n.term) < length(n.name) THEN %(alias_cost)s ELSE 0 END
             - %(trigram_gain)s * similarity(%(typed)s, n.term) AS cost
    FROM candidates n
), best AS (
  SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
    FROM scored n GROUP BY n.name, n.category_slug
)
SELECT b.name, c.name AS category FROM best b JOIN skill_categories c ON c.slug = b.category_slug
 WHERE b.cost <= %(max_cost)s AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + %(most_above_best)s
 ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT %(max_results)s"""


def max_edits(length: int) -> int:
    """Return how many typos are tolerated in a text of so many characters."""
    return EDITS_BY_LENGTH[min(length, len(EDITS_BY_LENGTH)) - 1]


def suggestion_statements(typed: str, limit: int) -> list[Statement]:
    """Return the statements that find skills for a normalized text, for one transaction. The last one returns them."""
    length = len(typed)
    values = {
        "typed": typed,
        "length": length,
        "max_edits": max_edits(length),
        "is_fuzzy": length >= MIN_FUZZY_LENGTH,
        "least_length": length - LENGTH_SLACK,
        "most_length": min(length + LENGTH_SLACK, MAX_FUZZY_LENGTH),
        "beginning_cost": BEGINNING_COST,
        "part_cost": PART_COST,
        "alias_cost": ALIAS_COST,
        "trigram_gain": TRIGRAM_GAIN,
        "max_cost": SPARE_COST + max_edits(length),
        "most_above_best": MOST_ABOVE_BEST,
        "max_results": limit,
    }
    return [(_SET_SIMILARITY, {"min_similarity": MIN_TRIGRAM_SIMILARITY}), (_SUGGESTIONS, values)]


async def suggestions(db: Database, query: str, limit: int = DEFAULT_LIMIT) -> list[dict[str, str]]:
    """Return the skills that start with or resemble `query`; none below two characters (SPEC 5)."""
    term = normalize_text(query)[:MAX_CHARACTERS]
    if len(term) < MIN_CHARACTERS:
        return []
    _, rows = await db.read_together(None, suggestion_statements(term, limit))
    return [{"name": name, "category": category} for name, category in rows]
