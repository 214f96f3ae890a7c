-- Return the user id of a public profile, by handle.
--
-- Called by: questions.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.neighbor_by_handle(wanted text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.neighbor_by_handle(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.neighbor_by_handle(text) TO porchlight_app, porchlight_overseer;
