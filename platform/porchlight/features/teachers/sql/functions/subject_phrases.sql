-- Return the phrases in use that fit a subject, shortest first, at most `most`. A subject is a skill, whose words must all
-- be in the phrase, or a skill category by name or slug, which means all its skills and the phrase that is its name.
--
-- Called by: app.teaching_gurus, app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.subject_phrases(subject text, most integer) RETURNS TABLE (phrase_id integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH category AS (
    SELECT c.slug, app.normalize_text(c.name) AS name FROM skill_categories c
     WHERE app.normalize_text(subject) IN (c.slug, app.normalize_text(c.name))
  ), terms AS (
    SELECT phraseto_tsquery('english', app.normalize_text(n.name)) AS term
      FROM category c JOIN skill_search_terms n ON n.category_slug = c.slug AND app.normalize_text(n.name) <> c.name
     UNION
    -- A category's name would fit other skills by its stem: "Electrical" is no electric guitar.
    SELECT plainto_tsquery('english', app.normalize_text(subject)) WHERE NOT EXISTS (SELECT FROM category)
  )
  SELECT p.id FROM phrases p
   WHERE p.in_use AND (
           to_tsvector('english', p.words)
           @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t WHERE numnode(t.term) > 0)
           OR p.words = (SELECT c.name FROM category c))
   ORDER BY length(p.words), p.id LIMIT most
$$;
REVOKE ALL ON FUNCTION app.subject_phrases(text, integer) FROM PUBLIC;
