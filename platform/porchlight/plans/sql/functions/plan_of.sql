-- Return a user's plan: the best paid one, or community.
--
-- Called by: porchlight.plans and listings, app.lock_plan, app.limit_offers and app.tenant_plan.
-- SECURITY INVOKER: to a request, app.plan_rights shows the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_of(wanted uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT r.plan FROM app.plan_rights(wanted) r LIMIT 1), 'community')
$$;
REVOKE ALL ON FUNCTION app.plan_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_of(uuid) TO porchlight_app, porchlight_overseer;
