-- Start a change of the current user's subscription. `problem`: why it is not possible; see app.plan_change_kind.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role may not write changes or create writes.
CREATE OR REPLACE FUNCTION app.request_plan_change(wanted_plan text, wanted_interval text, prorated_at timestamptz,
                                                   OUT id uuid, OUT problem text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  change_kind text;
BEGIN
  PERFORM app.lock_billing(app.user_id());
  change_kind := app.plan_change_kind(wanted_plan, wanted_interval);
  IF change_kind NOT IN ('upgrade', 'downgrade', 'cancel', 'keep') THEN
    problem := change_kind;
  ELSIF change_kind IN ('upgrade', 'downgrade')
        AND NOT EXISTS (SELECT FROM billing_catalog p WHERE p.key = wanted_plan || '-' || wanted_interval) THEN
    problem := 'not_set_up';
  ELSE
    id := gen_random_uuid();
    INSERT INTO plan_changes (user_id, id, subscription_id, kind, plan, interval, prorated_at)
    SELECT s.user_id, request_plan_change.id, s.id, change_kind,
           CASE WHEN change_kind = 'cancel' THEN s.plan ELSE wanted_plan END,
           CASE WHEN change_kind = 'cancel' THEN s.interval ELSE wanted_interval END,
           request_plan_change.prorated_at
      FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due');
    PERFORM app.send_plan_change(id, false);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_plan_change(text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_plan_change(text, text, timestamptz) TO porchlight_app, porchlight_overseer;
