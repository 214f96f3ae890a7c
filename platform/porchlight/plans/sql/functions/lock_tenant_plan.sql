-- Lock what the plan of the current site's owner limits until the end of the transaction, and return the plan. The lock
-- is the owner's (app.lock_plan), or the site's while it has no owner.
--
-- Called by: porchlight.plans.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.lock_tenant_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id());
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || coalesce(owner_id, app.tenant_id()), 0));
  RETURN app.plan_of(owner_id);
END $$;
REVOKE ALL ON FUNCTION app.lock_tenant_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_tenant_plan() TO porchlight_app, porchlight_overseer;
