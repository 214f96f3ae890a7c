-- Return the paid plans of the current user, the best first; see app.plan_rights.
--
-- Called by: billing and app.apply_plan_limits.
-- SECURITY DEFINER: the app role may not call app.plan_rights, whose user is an argument.
CREATE OR REPLACE FUNCTION app.own_plan_rights() RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM app.plan_rights(app.user_id()) r
$$;
REVOKE ALL ON FUNCTION app.own_plan_rights() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_plan_rights() TO porchlight_app, porchlight_overseer;
