-- Create the write that opens a waiting checkout at Stripe, now that the customer is known there.
--
-- Called by: app.start_plan_checkout, and billing when Stripe created the customer.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_checkout(checkout_id uuid) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('plan_checkout', c.id, '', 'POST', '/v1/checkout/sessions', jsonb_build_object(
           'mode', 'subscription',
           'customer', b.customer_id,
           'client_reference_id', c.user_id,
           'line_items', jsonb_build_array(jsonb_build_object('price', p.object_id, 'quantity', 1)),
           'success_url', c.return_url || 'checkout=success',
           'cancel_url', c.return_url || 'checkout=canceled',
           'subscription_data', jsonb_build_object('metadata', jsonb_build_object('user_id', c.user_id))))
    FROM plan_checkouts c JOIN billing_customers b ON b.user_id = c.user_id
    JOIN billing_catalog p ON p.key = c.plan || '-' || c.interval
   WHERE c.id = checkout_id AND c.state = 'waiting' AND b.customer_id IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.send_plan_checkout(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_checkout(uuid) TO porchlight_overseer;
