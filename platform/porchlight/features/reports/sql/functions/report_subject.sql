-- Return the subject of a report, if it is public: a site, a post (label/slug), a profile (handle) or a listing (id);
-- or a question (id), which only its two neighbors know. The title has at most `max_title` characters.
--
-- Called by: app.create_report.
-- SECURITY DEFINER: it reads the rows of all tenants and users.
CREATE OR REPLACE FUNCTION app.report_subject(kind text, name text, max_title integer)
RETURNS TABLE (subject_id uuid, subject_name text, subject_title text, guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.character, g.id FROM gurus g
   WHERE kind = 'site' AND g.label = name AND g.status = 'active'
  UNION ALL
  SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
   WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= app.now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
  UNION ALL
  SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE kind = 'listing' AND u.status = 'active' AND o.visible
     AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
  UNION ALL
  SELECT q.id, q.id::text, left(p.display_name || ' asked: ' || q.body, max_title), NULL
    FROM questions q JOIN profiles p ON p.user_id = q.user_id
   WHERE kind = 'question'
     AND q.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;
REVOKE ALL ON FUNCTION app.report_subject(text, text, integer) FROM PUBLIC;
