-- Lock what the current user's plan limits until the end of the transaction, and return the plan.
--
-- Called by: porchlight.plans and onboarding.
CREATE OR REPLACE FUNCTION app.lock_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || app.user_id(), 0));
  RETURN app.plan_of(app.user_id());
END $$;
