-- Return the plan of the current user.
--
-- Called by: porchlight.plans and app.lock_plan.
-- SECURITY DEFINER: the app role may not call app.plan_of, whose user is an argument.
CREATE OR REPLACE FUNCTION app.effective_plan() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.plan_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.effective_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.effective_plan() TO porchlight_app, porchlight_overseer;
