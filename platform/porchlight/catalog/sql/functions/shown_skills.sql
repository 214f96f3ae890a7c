-- Return which of a guru's skills visitors see: not those that belong to a category whose documents are not approved,
-- and to none that is listed. A skill belongs to a category if the category's name or one of its search terms is in it,
-- as whole words: "Karate/judo" belongs to that of "karate".
--
-- Called by: sites (the guru's pages) and search (the index).
CREATE OR REPLACE FUNCTION app.shown_skills(guru_id uuid, skills text[]) RETURNS text[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN NOT EXISTS (SELECT FROM guru_categories c
                                WHERE c.tenant_id = guru_id AND c.needs_documents AND NOT c.listed) THEN skills
    ELSE ARRAY(
      SELECT s.skill FROM unnest(skills) WITH ORDINALITY s (skill, place)
        LEFT JOIN LATERAL (
          SELECT bool_or(c.listed) AS listed FROM guru_categories c
            JOIN LATERAL (SELECT c.name UNION ALL
                          SELECT t.name FROM skill_search_terms t WHERE t.category_slug = c.slug) n (name) ON true
           WHERE c.tenant_id = guru_id
             AND strpos(regexp_replace(' ' || app.normalize_text(s.skill) || ' ', '[^[:alnum:]]+', ' ', 'g'),
                        regexp_replace(' ' || app.normalize_text(n.name) || ' ', '[^[:alnum:]]+', ' ', 'g')) > 0
        ) found ON true
       WHERE coalesce(found.listed, true) ORDER BY s.place) END
$$;
REVOKE ALL ON FUNCTION app.shown_skills(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.shown_skills(uuid, text[]) TO porchlight_app, porchlight_overseer;
