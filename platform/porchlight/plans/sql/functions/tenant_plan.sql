-- Return the plan of the current guru site: that of its owner.
--
-- Called by: porchlight.plans and app.limit_site.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.tenant_plan() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.plan_of((SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id()))
$$;
REVOKE ALL ON FUNCTION app.tenant_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.tenant_plan() TO porchlight_app, porchlight_overseer;
