-- front page cards

-- file: functions/front_page.sql
-- Return the newest active gurus, those with recent posts first, and the newest published posts: of the `max_read` newest
-- gurus. `needs` counts the open needs that are addressed to no one in particular, by service and city, at most
-- `max_posts` counts, the soonest day first: neither who has one nor what it says. It reads those that expire first, so
-- that the work is bounded.
--
-- Called by: front_page.
-- SECURITY DEFINER: it reads posts across all tenants and needs of all users, and returns only public fields.
CREATE OR REPLACE FUNCTION app.front_page(max_gurus integer, max_posts integer, max_read integer) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH newest AS MATERIALIZED (
    SELECT id, label, character, category, tagline, photo_url, primary_color, secondary_color, icon, emoji
      FROM gurus WHERE status = 'active' ORDER BY created_at DESC LIMIT max_read
  ), latest AS MATERIALIZED (
    SELECT n.*, p.slug, p.title, p.excerpt, p.words, p.published_at, p.cover_id
      FROM newest n LEFT JOIN LATERAL (
        SELECT p.slug, p.title, p.excerpt, p.words, p.published_at, p.cover_id FROM posts p
         WHERE p.tenant_id = n.id AND p.status = 'published' AND p.published_at <= app.now()
         ORDER BY p.published_at DESC, p.id DESC LIMIT 1) p ON true
  )
  SELECT jsonb_build_object(
    'gurus', (SELECT coalesce(jsonb_agg(to_jsonb(g) - '{slug,title,excerpt,words,published_at,cover_id}'::text[]
                                        ORDER BY g.published_at DESC NULLS LAST), '[]')
                FROM (SELECT * FROM latest ORDER BY published_at DESC NULLS LAST LIMIT max_gurus) g),
    'posts', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'label', t.label, 'character', t.character, 'slug', t.slug, 'title', t.title,
                       'excerpt', t.excerpt, 'words', t.words, 'cover_id', t.cover_id,
                       'published_at', to_char(t.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                     ORDER BY t.published_at DESC), '[]')
                FROM (SELECT * FROM latest WHERE slug IS NOT NULL ORDER BY published_at DESC LIMIT max_posts) t),
    'needs', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'service_id', w.service_id, 'service', w.title, 'city', w.city, 'needs', w.needs,
                       'wanted_from', w.wanted_from) ORDER BY w.wanted_from, w.needs DESC, w.title, w.city), '[]')
                FROM (SELECT n.service_id, s.title, n.city, count(*) AS needs, min(n.wanted_from) AS wanted_from
                        FROM (SELECT n.service_id, n.city, n.wanted_from FROM needs n
                               WHERE n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL
                               ORDER BY n.expires_at LIMIT max_read * max_read) n
                        JOIN angel_services s ON s.id = n.service_id
                       GROUP BY 1, 2, 3 ORDER BY 5, 4 DESC, 2, 3 LIMIT max_posts) w))
$$;
REVOKE ALL ON FUNCTION app.front_page(integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.front_page(integer, integer, integer) TO porchlight_app, porchlight_overseer;
