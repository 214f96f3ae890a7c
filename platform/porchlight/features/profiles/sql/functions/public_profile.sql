-- Return the public profile of a handle with its user's id, without the fields that its owner hides.
--
-- Called by: profiles and questions.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.public_profile(wanted text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'user_id', p.user_id, 'handle', p.handle, 'display_name', p.display_name, 'bio', p.bio,
           'photo_id', p.photo_id, 'photo_url', p.photo_url, 'languages', p.languages, 'created_at', p.created_at,
           'location', CASE WHEN p.shows_location THEN p.location ELSE '' END,
           'skills_offered', CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END,
           'skills_wanted', CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END,
           'availability', CASE WHEN p.shows_availability THEN p.availability ELSE '' END)
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.public_profile(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.public_profile(text) TO porchlight_app, porchlight_overseer;
