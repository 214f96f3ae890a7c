-- Return the user id of an active angel with a public profile, by handle and service. Excludes the caller.
--
-- Called by: angels, when a need is addressed to one angel.
-- SECURITY DEFINER: angels and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_by_handle(wanted text, service text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.user_id FROM profiles p JOIN angels a ON a.user_id = p.user_id JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND a.service_id = service AND a.active AND u.status = 'active'
     AND a.user_id <> app.user_id()
$$;
REVOKE ALL ON FUNCTION app.angel_by_handle(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_by_handle(text, text) TO porchlight_app, porchlight_overseer;
