-- Return the skills that a user may mean who has typed `typed` so far: exact beginnings first, then similar spelling.
-- Each of the three conditions is a query of its own, so that each uses its index. The threshold is set in the body,
-- because a plain role could not restore a function with that setting from a dump.
--
-- A skill costs the typos in it (`edits_by_length`: how many are tolerated in a text of 1, 2, 3 … characters),
-- `beginning_cost` if only its beginning is typed, `part_cost` if only a beginning with typos is, and `alias_cost` if
-- another term for it is typed; common trigrams save up to `trigram_gain`. It may cost `spare_cost` more than the typos,
-- and `most_above_best` more than the best one. Texts from `min_length` on are compared by spelling, with terms of about
-- their length (`length_slack`) that are up to `max_length` long.
--
-- Called by: catalog, at each key stroke in a skill field.
CREATE OR REPLACE FUNCTION app.suggest_skills(
  typed text, max_results integer, edits_by_length integer[], min_length integer, length_slack integer,
  max_length integer, min_similarity double precision, beginning_cost double precision, part_cost double precision,
  alias_cost double precision, trigram_gain double precision, spare_cost double precision,
  most_above_best double precision)
RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  typed_length integer := length(typed);
  max_edits integer := coalesce(edits_by_length[least(typed_length, cardinality(edits_by_length))], 0);
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', min_similarity::text, true);
  RETURN QUERY
  WITH candidates AS (
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE n.term >= typed AND n.term < typed || chr(1114111)
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= min_length AND typed <% n.term
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= min_length
       AND n.term_length BETWEEN typed_length - length_slack AND least(typed_length + length_slack, max_length)
       AND least(levenshtein_less_equal(typed, n.term, max_edits),
                 levenshtein_less_equal(typed, left(n.term, typed_length), max_edits)) <= max_edits
  ), scored AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.term = typed THEN 0
                WHEN n.term ^@ typed THEN beginning_cost
                ELSE least(1 + levenshtein_less_equal(typed, n.term, max_edits),
                           part_cost + levenshtein_less_equal(typed, left(n.term, typed_length), max_edits))
           END + CASE WHEN length(n.term) < length(n.name) THEN alias_cost ELSE 0 END
               - trigram_gain * similarity(typed, n.term) AS cost
      FROM candidates n
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM scored n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= spare_cost + max_edits AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + most_above_best
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.suggest_skills(text, integer, integer[], integer, integer, integer, double precision, double precision,
    double precision, double precision, double precision, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.suggest_skills(text, integer, integer[], integer, integer, integer, double precision, double precision,
    double precision, double precision, double precision, double precision, double precision) TO porchlight_app, porchlight_overseer;
