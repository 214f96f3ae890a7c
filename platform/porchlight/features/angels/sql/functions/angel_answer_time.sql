-- Return the minutes in which a user with a public profile usually answers as an angel. NULL if it is not known
-- (app.angel_answer_minutes).
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_time(
  wanted text, days integer, min_answers integer, open_after interval) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.angel_answer_minutes(p.user_id, days, min_answers, open_after) FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
$$;
REVOKE ALL ON FUNCTION app.angel_answer_time(text, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_answer_time(text, integer, integer, interval) TO porchlight_app, porchlight_overseer;
