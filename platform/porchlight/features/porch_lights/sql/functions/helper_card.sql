-- Return what neighbors see of an angel or guru: the name and photo, the services on Angel's List, and the guru's site.
-- NULL for a user whom neighbors cannot find by either.
--
-- Called by: porch_lights, app.porch_lights.
-- SECURITY DEFINER: profiles, services and memberships of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.helper_card(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'handle', p.handle, 'name', coalesce(p.display_name, g.character), 'photo_id', p.photo_id,
           'photo_url', coalesce(p.photo_url, ''), 'services', coalesce(a.titles, '[]'), 'label', g.label,
           'character', g.character)
    FROM users u
    LEFT JOIN profiles p ON p.user_id = u.user_id AND p.is_public AND p.registered_at IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(s.title ORDER BY s.position) AS titles
        FROM angels a JOIN angel_services s ON s.id = a.service_id
       WHERE a.user_id = u.user_id AND a.active AND p.user_id IS NOT NULL) a ON true
    LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN gurus g ON g.id = m.tenant_id AND g.status = 'active'
   WHERE u.user_id = wanted AND u.status = 'active' AND (a.titles IS NOT NULL OR g.id IS NOT NULL)
$$;
REVOKE ALL ON FUNCTION app.helper_card(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.helper_card(uuid) TO porchlight_app, porchlight_overseer;
