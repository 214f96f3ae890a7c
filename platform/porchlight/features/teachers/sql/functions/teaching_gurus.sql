-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Among those who fit equally, Premium Angels come first, then those with the better
-- score of reviews; a guru without reviews has the score `unrated`. Of a phrase that very many gurus have,
-- `max_per_phrase` are read; of a subject, `max_phrases` phrases. `histogram` counts the reviews with 1 to 5 stars.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer,
                                              max_phrases integer, max_per_phrase integer, unrated double precision)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[],
               histogram integer[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject, max_phrases) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less. The index of gurus has
    -- the same number, so it is no parameter.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT max_per_phrase) s
      GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT max_results)
     UNION ALL
    SELECT g.id, NULL, 1 FROM gurus g WHERE g.label = guru_label
     UNION ALL
    SELECT m.tenant_id, p.handle, 1 FROM profiles p
      JOIN users u ON u.user_id = p.user_id JOIN memberships m ON m.user_id = p.user_id
     WHERE p.handle = ANY (angel_handles) AND p.is_public AND u.status = 'active'
       AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
  )
  SELECT g.id, g.label, g.character, g.tagline, g.city, g.emoji, w.handle,
         ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                 JOIN phrases p ON p.words = app.normalize_text(k.skill)
                 JOIN search_entry_phrases s ON s.phrase_id = p.id AND s.kind = 'guru' AND s.item = g.id::text
                WHERE p.id IN (SELECT f.phrase_id FROM fitting f) ORDER BY k.place),
         t.histogram
    FROM wanted w JOIN gurus g ON g.id = w.guru_id LEFT JOIN review_totals t ON t.tenant_id = g.id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id
                        AND (m.user_id = app.user_id() OR m.user_id IN (SELECT h.user_id FROM hidden_people h)))
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            coalesce(t.score, unrated) DESC, g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer, double precision)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer, double precision)
    TO porchlight_app, porchlight_overseer;
