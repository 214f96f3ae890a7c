-- Return the login handoff with this secret, browser and domain, if it is younger than `max_age`.
--
-- Called by: auth, when a visitor arrives on a custom domain.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_pass(wanted bytea, browser bytea, at_domain text, max_age interval)
RETURNS TABLE (user_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id, p.id FROM domain_sessions p
   WHERE p.pass_hash = wanted AND p.browser_hash = browser AND p.domain = at_domain AND p.created_at > app.now() - max_age
$$;
REVOKE ALL ON FUNCTION app.find_pass(bytea, bytea, text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_pass(bytea, bytea, text, interval) TO porchlight_app, porchlight_overseer;
