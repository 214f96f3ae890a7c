-- The public profiles of active accounts, without what their owners hide. After a block, neither of two people sees the
-- other's.
--
-- Read by: profiles, messages and angels.
-- As the owner: profiles of other users are behind row level security.
CREATE OR REPLACE VIEW public_profiles WITH (security_barrier) AS
  SELECT p.user_id, p.handle, p.display_name, p.bio, p.photo_id, p.photo_url, p.languages, p.created_at,
         CASE WHEN p.shows_location THEN p.location ELSE '' END AS location,
         CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END AS skills_offered,
         CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END AS skills_wanted,
         CASE WHEN p.shows_availability THEN p.availability ELSE '' END AS availability
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND p.user_id NOT IN (SELECT h.user_id FROM hidden_people h);
GRANT SELECT ON public_profiles TO porchlight_app, porchlight_overseer;
