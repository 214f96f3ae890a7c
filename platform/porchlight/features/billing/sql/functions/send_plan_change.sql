-- Create the next write of a requested change. A subscription that follows a schedule is released from it first.
-- An upgrade is charged now, and Stripe keeps the old plan until the charge succeeds.
--
-- Called by: app.request_plan_change, and billing when the release is done.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_change(change_id uuid, is_released boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  c plan_changes;
  s subscriptions;
  path text;
  params jsonb;
BEGIN
  SELECT p.* INTO c FROM plan_changes p WHERE p.id = change_id;
  SELECT p.* INTO s FROM subscriptions p WHERE p.user_id = c.user_id AND p.id = c.subscription_id;
  path := '/v1/subscriptions/' || s.sub_id;
  IF s.schedule_id <> '' AND NOT is_released THEN
    PERFORM app.create_stripe_write('plan_release', c.id, '', 'POST',
      '/v1/subscription_schedules/' || s.schedule_id || '/release', '{}', false);
  ELSIF c.kind = 'upgrade' THEN
    -- Stripe takes no metadata together with pending_if_incomplete.
    params := jsonb_build_object(
      'items', jsonb_build_array(jsonb_build_object('id', s.item_id, 'price', p.object_id)),
      'proration_behavior', 'always_invoice', 'payment_behavior', 'pending_if_incomplete',
      'expand', jsonb_build_array('latest_invoice', 'default_payment_method', 'schedule'))
      FROM billing_catalog p WHERE p.key = c.plan || '-' || c.interval;
    IF c.prorated_at IS NOT NULL AND c.interval = s.interval THEN
      params := params || jsonb_build_object('proration_date', extract(epoch FROM c.prorated_at)::bigint);
    END IF;
    PERFORM app.create_stripe_write('plan_upgrade', c.id, '', 'POST', path, params, false);
  ELSIF c.kind = 'downgrade' THEN
    PERFORM app.create_stripe_write('plan_schedule', c.id, '', 'POST', '/v1/subscription_schedules',
      jsonb_build_object('from_subscription', s.sub_id), false);
  ELSE
    PERFORM app.create_stripe_write('plan_renewal', c.id, '', 'POST', path, jsonb_build_object(
      'cancel_at_period_end', c.kind = 'cancel', 'expand', jsonb_build_array('default_payment_method', 'schedule')));
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.send_plan_change(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_change(uuid, boolean) TO porchlight_overseer;
