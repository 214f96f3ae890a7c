-- Return the skills that a user may mean who has typed `typed` so far: exact beginnings first, then similar spelling.
-- Each of the three conditions is a query of its own, so that each uses its index. The threshold is set in the body,
-- because a plain role could not restore a function with that setting from a dump.
--
-- Called by: catalog, at each key stroke in a skill field.
CREATE OR REPLACE FUNCTION app.suggest_skills(typed text, max_results integer) RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  typed_length integer := length(typed);
  max_edits integer := CASE WHEN length(typed) < 4 THEN 1 WHEN length(typed) < 6 THEN 3 ELSE 4 END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.3', true);
  RETURN QUERY
  WITH candidates AS (
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE n.term >= typed AND n.term < typed || chr(1114111)
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= 3 AND typed <% n.term
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= 3 AND n.term_length BETWEEN typed_length - 2 AND least(typed_length + 2, 8)
       AND least(levenshtein_less_equal(typed, n.term, max_edits),
                 levenshtein_less_equal(typed, left(n.term, typed_length), max_edits)) <= max_edits
  ), scored AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.term = typed THEN 0.0
                WHEN n.term ^@ typed THEN 0.5
                ELSE least(1.0 + levenshtein_less_equal(typed, n.term, max_edits),
                           1.5 + levenshtein_less_equal(typed, left(n.term, typed_length), max_edits))
           END + CASE WHEN length(n.term) < length(n.name) THEN 0.25 ELSE 0.0 END
               - 2.0 * similarity(typed, n.term) AS cost
      FROM candidates n
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM scored n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= 1.5 + max_edits AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + 2.25
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.suggest_skills(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.suggest_skills(text, integer) TO porchlight_app, porchlight_overseer;
