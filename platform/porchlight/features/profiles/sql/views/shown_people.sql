-- What others may see of an active user in what both take part in: the public profile, or only the first name when the
-- profile is private. `shown_name` is never empty, for sentences.
--
-- Read by: other views, and functions that have decided whom their caller may know.
-- As the owner: profiles of other users are behind row level security. No role may read it.
CREATE OR REPLACE VIEW shown_people WITH (security_barrier) AS
  SELECT p.user_id, s.handle, s.name, s.photo_id, s.photo_url,
         coalesce(nullif(s.name, ''), 'A neighbor') AS shown_name,
         jsonb_build_object('handle', s.handle, 'name', s.name, 'photo_id', s.photo_id, 'photo_url', s.photo_url)
           AS card
    FROM profiles p JOIN users u ON u.user_id = p.user_id CROSS JOIN LATERAL (
      SELECT p.handle, p.display_name AS name, p.photo_id, p.photo_url
       WHERE p.is_public AND p.registered_at IS NOT NULL
       UNION ALL
      SELECT NULL, p.first_name, NULL, '' WHERE NOT (p.is_public AND p.registered_at IS NOT NULL)) s
   WHERE u.status = 'active';
