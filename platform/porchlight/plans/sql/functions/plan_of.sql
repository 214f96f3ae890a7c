-- Return a user's plan: the best paid one, or community.
--
-- Called by: app.effective_plan, app.tenant_plan and app.lock_tenant_plan.
-- SECURITY DEFINER: the app role may not call app.plan_rights.
CREATE OR REPLACE FUNCTION app.plan_of(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT r.plan FROM app.plan_rights(wanted) r LIMIT 1), 'community')
$$;
REVOKE ALL ON FUNCTION app.plan_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_of(uuid) TO porchlight_overseer;
