-- Return the id of the current user as Stripe's customer, or NULL while it is being created there, which the first call
-- starts. A write that ended without a customer is repeated with a new subject.
--
-- Called by: billing, app.start_plan_checkout.
-- SECURITY DEFINER: the app role may not create writes.
CREATE OR REPLACE FUNCTION app.own_billing_customer() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  c billing_customers;
  last_state text;
BEGIN
  PERFORM app.lock_billing(app.user_id());
  SELECT b.* INTO c FROM billing_customers b WHERE b.user_id = app.user_id();
  IF c.customer_id IS NOT NULL THEN
    RETURN c.customer_id;
  END IF;
  IF c.user_id IS NULL THEN
    INSERT INTO billing_customers (user_id) VALUES (app.user_id()) RETURNING * INTO c;
  END IF;
  SELECT o.state INTO last_state FROM stripe_outbox o
   WHERE o.kind = 'billing_customer' AND o.subject_id = c.request_id ORDER BY o.attempt DESC LIMIT 1;
  IF last_state IS NULL OR last_state IN ('refused', 'absent') THEN
    PERFORM app.create_stripe_write('billing_customer', c.request_id, '', 'POST', '/v1/customers',
      jsonb_build_object('email', u.email, 'metadata', jsonb_build_object('user_id', u.user_id)))
      FROM users u WHERE u.user_id = app.user_id();
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.own_billing_customer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_billing_customer() TO porchlight_app, porchlight_overseer;
