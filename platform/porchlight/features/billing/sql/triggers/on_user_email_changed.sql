-- Send a new email address to Stripe, for receipts, if the user is a customer there. Each change has a write of its own:
-- what it brought is compared with the address of then when it is done.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the email address changes. The empty one of a deleted account is not sent.
CREATE OR REPLACE FUNCTION app.on_user_email_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.create_stripe_write('billing_customer_email', gen_random_uuid(), '', 'POST',
                                  '/v1/customers/' || b.customer_id, jsonb_build_object('email', NEW.email))
     FROM billing_customers b WHERE b.user_id = NEW.user_id AND b.customer_id IS NOT NULL;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_changed AFTER UPDATE OF email ON users
    FOR EACH ROW WHEN (NEW.email <> OLD.email AND NEW.email <> '') EXECUTE FUNCTION app.on_user_email_changed();
