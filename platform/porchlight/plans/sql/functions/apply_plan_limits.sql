-- Let what others see of the current user follow the plan: offers, photos, the guru site, and the plan that lists show.
-- Also stores when the plan may change by itself. Nothing is deleted. The function restores the tenant that was set.
--
-- Called by: plans, in the jobs after a plan changed or ended.
CREATE OR REPLACE FUNCTION app.apply_plan_limits(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_plan text := app.lock_plan();
  own_guru_id uuid := (SELECT g.tenant_id FROM app.own_guru() g);
BEGIN
  PERFORM app.limit_offers(limits);
  IF own_guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    PERFORM app.limit_site(limits);
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  UPDATE users SET listed_plan = own_plan, plan_check_at = (SELECT min(r.until) FROM app.plan_rights(app.user_id()) r)
   WHERE user_id = app.user_id();
END $$;
