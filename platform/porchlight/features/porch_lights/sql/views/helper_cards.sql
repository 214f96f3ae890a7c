-- What neighbors see of each angel and guru: the name and photo, the services on Angel's List, and the guru's site. Users
-- whom neighbors cannot find by either have no row.
--
-- Read by: porch_lights, app.porch_lights.
-- As the owner: profiles, services and memberships of other users are behind row level security.
CREATE OR REPLACE VIEW helper_cards WITH (security_barrier) AS
  SELECT u.user_id, jsonb_build_object(
           'handle', p.handle, 'name', coalesce(p.display_name, g.character), 'photo_id', p.photo_id,
           'photo_url', coalesce(p.photo_url, ''), 'services', coalesce(a.titles, '[]'), 'label', g.label,
           'character', g.character) AS card
    FROM users u
    LEFT JOIN profiles p ON p.user_id = u.user_id AND p.is_public AND p.registered_at IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(s.title ORDER BY s.position) AS titles
        FROM angels a JOIN angel_services s ON s.id = a.service_id
       WHERE a.user_id = u.user_id AND a.active AND p.user_id IS NOT NULL) a ON true
    LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN gurus g ON g.id = m.tenant_id AND g.status = 'active'
   WHERE u.status = 'active' AND (a.titles IS NOT NULL OR g.id IS NOT NULL);
GRANT SELECT ON helper_cards TO porchlight_app, porchlight_overseer;
