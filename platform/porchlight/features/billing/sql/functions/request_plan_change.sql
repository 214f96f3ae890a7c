-- Start a change of the current user's subscription, as porchlight.features.billing.plan_changes decided; return its id.
-- The caller holds the lock of the user's billing. A unique key keeps a user from having two changes at once.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role may not write changes or create writes.
CREATE OR REPLACE FUNCTION app.request_plan_change(change_kind text, wanted_plan text, wanted_interval text,
                                                   prorated_at timestamptz) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_id uuid := gen_random_uuid();
BEGIN
  INSERT INTO plan_changes (user_id, id, subscription_id, kind, plan, interval, prorated_at)
  SELECT s.user_id, new_id, s.id, change_kind, wanted_plan, wanted_interval, request_plan_change.prorated_at
    FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due');
  PERFORM app.send_plan_change(new_id, false);
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.request_plan_change(text, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_plan_change(text, text, text, timestamptz) TO porchlight_app, porchlight_overseer;
