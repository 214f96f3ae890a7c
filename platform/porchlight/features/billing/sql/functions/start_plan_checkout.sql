-- Start the current user's purchase of a plan, or return the open one of the same plan: however many tabs ask, there is
-- one. An open checkout of another plan, or with another page to return to, ends first. `problem`: not_set_up,
-- already_subscribed.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role may not write checkouts or create writes.
CREATE OR REPLACE FUNCTION app.start_plan_checkout(wanted_plan text, wanted_interval text, return_url text,
                                                   OUT id uuid, OUT problem text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  former plan_checkouts;
BEGIN
  PERFORM app.lock_billing(app.user_id());
  problem := CASE
    WHEN NOT EXISTS (SELECT FROM billing_catalog p WHERE p.key = wanted_plan || '-' || wanted_interval) THEN 'not_set_up'
    WHEN EXISTS (SELECT FROM subscriptions s
                  WHERE s.user_id = app.user_id() AND s.state IN ('incomplete', 'active', 'past_due'))
      THEN 'already_subscribed' END;
  IF problem IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT c.* INTO former FROM plan_checkouts c WHERE c.user_id = app.user_id() AND c.state IN ('waiting', 'open');
  IF former.plan = wanted_plan AND former.interval = wanted_interval
     AND former.return_url = start_plan_checkout.return_url AND coalesce(former.expires_at > app.now(), true) THEN
    id := former.id;
    -- The write of the customer may have ended without one.
    IF former.state = 'waiting' THEN
      PERFORM app.own_billing_customer();
    END IF;
    RETURN;
  END IF;
  IF former.id IS NOT NULL THEN
    UPDATE plan_checkouts c SET state = 'replaced' WHERE c.user_id = former.user_id AND c.id = former.id;
    IF former.session_id IS NOT NULL AND former.expires_at > app.now() THEN
      PERFORM app.create_stripe_write('plan_checkout_end', former.id, '', 'POST',
        '/v1/checkout/sessions/' || former.session_id || '/expire', '{}', false);
    END IF;
  END IF;
  id := gen_random_uuid();
  INSERT INTO plan_checkouts (user_id, id, plan, interval, return_url)
  VALUES (app.user_id(), id, wanted_plan, wanted_interval, start_plan_checkout.return_url);
  IF app.own_billing_customer() IS NOT NULL THEN
    PERFORM app.send_plan_checkout(id);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.start_plan_checkout(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_plan_checkout(text, text, text) TO porchlight_app, porchlight_overseer;
