-- Create the write that gives a user's customer at Stripe the user's email address, for receipts. Each change has a write
-- of its own: what it brought is compared with the address of then when it is done.
--
-- Called by: billing, and the trigger of `users`.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_customer_email(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('billing_customer_email', gen_random_uuid(), '', 'POST',
                                 '/v1/customers/' || b.customer_id, jsonb_build_object('email', u.email))
    FROM billing_customers b JOIN users u ON u.user_id = b.user_id
   WHERE b.user_id = wanted AND b.customer_id IS NOT NULL AND u.email <> ''
$$;
REVOKE ALL ON FUNCTION app.send_customer_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_customer_email(uuid) TO porchlight_overseer;
