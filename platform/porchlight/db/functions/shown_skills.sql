-- Return which of a guru's skills visitors see: not those that belong to a category whose documents are not approved,
-- and to none that is listed. A skill belongs to a category that has its words among its names.
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
           WHERE c.tenant_id = guru_id AND (
             ' ' || app.normalize_text(s.skill) || ' ' LIKE '% ' || app.normalize_text(c.name) || ' %'
             OR EXISTS (SELECT FROM skill_search_terms t WHERE t.category_slug = c.slug
                         AND ' ' || app.normalize_text(s.skill) || ' ' LIKE '% ' || app.normalize_text(t.name) || ' %'))
        ) found ON true
       WHERE coalesce(found.listed, true) ORDER BY s.place) END
$$;
REVOKE ALL ON FUNCTION app.shown_skills(uuid, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.shown_skills(uuid, text[]) TO porchlight_app, porchlight_overseer;
