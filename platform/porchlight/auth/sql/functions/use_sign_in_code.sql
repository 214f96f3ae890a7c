-- Count an attempt at a sign-in code, and use it up if it is right. No row for a code that is unknown, older than `ttl`,
-- guessed `most` times, or used longer ago than `repeat`.
--
-- Called by: auth, before anyone is signed in.
-- SECURITY DEFINER: the app role may not read sign_in_codes. Who knows the id of a code has asked for it.
CREATE OR REPLACE FUNCTION app.use_sign_in_code(code_id uuid, code bytea, ttl interval, repeat interval, most integer)
RETURNS TABLE (email text, is_right boolean, attempts integer)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE sign_in_codes c
     SET attempts = c.attempts + (c.code_hash <> code)::integer,
         used_at = coalesce(c.used_at, CASE WHEN c.code_hash = code THEN app.now() END)
   WHERE c.id = code_id AND c.created_at > app.now() - ttl AND c.attempts < most
     AND (c.used_at IS NULL OR c.used_at > app.now() - repeat)
  RETURNING c.email, c.code_hash = code, c.attempts::integer
$$;
REVOKE ALL ON FUNCTION app.use_sign_in_code(uuid, bytea, interval, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.use_sign_in_code(uuid, bytea, interval, interval, integer)
  TO porchlight_app, porchlight_overseer;
