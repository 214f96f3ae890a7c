-- End what an account buys when it is deleted: its customer at Stripe is deleted, and with it the card and every live
-- subscription, without another charge. Invoices and amounts stay, email addresses in former writes do not.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_billing() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_billing(NEW.user_id);
  PERFORM app.create_stripe_write('plan_checkout_end', c.id, '', 'POST',
            '/v1/checkout/sessions/' || c.session_id || '/expire', '{}', false)
    FROM plan_checkouts c WHERE c.user_id = NEW.user_id AND c.state = 'open' AND c.expires_at > app.now();
  UPDATE plan_checkouts SET state = 'replaced' WHERE user_id = NEW.user_id AND state IN ('waiting', 'open');
  PERFORM app.create_stripe_write('billing_customer_end', b.request_id, '', 'DELETE', '/v1/customers/' || b.customer_id,
                                  '{}', false)
    FROM billing_customers b WHERE b.user_id = NEW.user_id AND b.customer_id IS NOT NULL;
  UPDATE stripe_outbox o SET params = o.params - 'email' FROM billing_customers b
   WHERE b.user_id = NEW.user_id AND o.state IN ('done', 'refused', 'absent')
     AND (o.kind = 'billing_customer' AND o.subject_id = b.request_id
          OR o.kind = 'billing_customer_email' AND o.path = '/v1/customers/' || b.customer_id);
  UPDATE billing_customers SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  UPDATE subscriptions SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_billing() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_billing AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_billing();
