-- Return the plan of the current guru site: that of its owner. With `locked`, what the plan limits is locked until the end
-- of the transaction, and the plan is the one after the lock. The lock is the owner's (app.lock_plan), or the site's while
-- it has no owner.
--
-- Called by: porchlight.plans, console and app.limit_site.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.tenant_plan(locked boolean) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id());
BEGIN
  IF locked THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || coalesce(owner_id, app.tenant_id()), 0));
  END IF;
  RETURN app.plan_of(owner_id);
END $$;
REVOKE ALL ON FUNCTION app.tenant_plan(boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.tenant_plan(boolean) TO porchlight_app, porchlight_overseer;
