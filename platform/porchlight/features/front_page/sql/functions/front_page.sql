-- Return the newest active gurus, those with recent posts first, and the newest published posts: of the `max_read` newest
-- gurus.
--
-- Called by: front_page.
-- SECURITY DEFINER: it reads posts across all tenants and returns only public fields.
CREATE OR REPLACE FUNCTION app.front_page(max_gurus integer, max_posts integer, max_read integer) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH newest AS MATERIALIZED (
    SELECT id, label, character, category, tagline, primary_color, secondary_color, icon, emoji
      FROM gurus WHERE status = 'active' ORDER BY created_at DESC LIMIT max_read
  ), latest AS MATERIALIZED (
    SELECT n.*, p.slug, p.title, p.excerpt, p.words, p.published_at
      FROM newest n LEFT JOIN LATERAL (
        SELECT p.slug, p.title, p.excerpt, p.words, p.published_at FROM posts p
         WHERE p.tenant_id = n.id AND p.status = 'published' AND p.published_at <= app.now()
         ORDER BY p.published_at DESC, p.id DESC LIMIT 1) p ON true
  )
  SELECT jsonb_build_object(
    'gurus', (SELECT coalesce(jsonb_agg(to_jsonb(g) - '{id,slug,title,excerpt,words,published_at}'::text[]
                                        ORDER BY g.published_at DESC NULLS LAST), '[]')
                FROM (SELECT * FROM latest ORDER BY published_at DESC NULLS LAST LIMIT max_gurus) g),
    'posts', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'label', t.label, 'character', t.character, 'slug', t.slug, 'title', t.title,
                       'excerpt', t.excerpt, 'words', t.words,
                       'published_at', to_char(t.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                     ORDER BY t.published_at DESC), '[]')
                FROM (SELECT * FROM latest WHERE slug IS NOT NULL ORDER BY published_at DESC LIMIT max_posts) t))
$$;
REVOKE ALL ON FUNCTION app.front_page(integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.front_page(integer, integer, integer) TO porchlight_app, porchlight_overseer;
