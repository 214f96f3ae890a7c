"""Suggestions while one types: each way to be meant is looked up by itself; only what is near is weighed."""

from __future__ import annotations

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

# As before, but: what begins so, what is spelled like it and what is as short are three searches, so that each has its
# index, and of short words only those are weighed that are a slip or two away. (As one condition all of them were
# compared with all three, and a plan for any text could look nothing up.) "C" sorts by code points: the last one
# closes the span of what begins so.
SUGGEST = """
CREATE OR REPLACE FUNCTION app.suggest_skills(typed text, most integer) RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  long integer := length(typed);
  slips integer := CASE WHEN length(typed) < 4 THEN 1 WHEN length(typed) < 6 THEN 3 ELSE 4 END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.3', true);
  RETURN QUERY
  WITH likely AS (
    SELECT n.name, n.category_slug, n.popular, n.needle FROM skill_needles n
     WHERE n.needle >= typed AND n.needle < typed || chr(1114111)
    UNION
    SELECT n.name, n.category_slug, n.popular, n.needle FROM skill_needles n WHERE long >= 3 AND typed <% n.needle
    UNION
    SELECT n.name, n.category_slug, n.popular, n.needle FROM skill_needles n
     WHERE long >= 3 AND n.letters BETWEEN long - 2 AND least(long + 2, 8)
       AND least(levenshtein_less_equal(typed, n.needle, slips),
                 levenshtein_less_equal(typed, left(n.needle, long), slips)) <= slips
  ), near AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.needle = typed THEN 0.0
                WHEN n.needle ^@ typed THEN 0.5
                ELSE least(1.0 + levenshtein_less_equal(typed, n.needle, slips),
                           1.5 + levenshtein_less_equal(typed, left(n.needle, long), slips))
           END + CASE WHEN length(n.needle) < length(n.name) THEN 0.25 ELSE 0.0 END
               - 2.0 * similarity(typed, n.needle) AS cost
      FROM likely n
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM near n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= 1.5 + slips AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + 2.25
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT most;
END $$;
"""

# Written seldom and read at every key: entries that wait in a list are read by every search, and count against the
# index when a search is planned.
AT_ONCE = """
ALTER INDEX ix_skill_needles_needle_trgm SET (fastupdate = off);
SELECT gin_clean_pending_list('ix_skill_needles_needle_trgm');
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(AT_ONCE)
    run(SUGGEST.replace("%", "%%"))


def downgrade() -> None:
    """The release before can live with this one's function, and its index with being kept at once."""
