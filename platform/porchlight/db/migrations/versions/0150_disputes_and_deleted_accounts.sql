-- money of deleted accounts and disputes

-- file: functions/open_money.sql
-- Return what of the current user's money is open, so that the account cannot be deleted yet, or NULL: `payment` (a charge
-- for a change of the plan, or a refund), `payout`, `dispute`, `debt`, `balance`. No payout or change of the plan starts
-- before the transaction ends.
--
-- Called by: profiles, before it deletes an account.
-- SECURITY DEFINER: the app role cannot read stripe_outbox and the ledger.
CREATE OR REPLACE FUNCTION app.open_money() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lowest bigint;
  highest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));  -- as app.request_payout
  PERFORM app.lock_billing(app.user_id());
  SELECT min(b.credits - b.debits), max(b.credits - b.debits) INTO lowest, highest
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe');
  RETURN CASE
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      OR EXISTS (SELECT FROM plan_invoices i
                  JOIN stripe_outbox o ON o.kind = 'plan_refund' AND o.subject_id = i.id
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown')) THEN 'payment'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.user_id = app.user_id()
                    AND p.state IN ('requested', 'sent', 'in_transit')) THEN 'payout'
    WHEN EXISTS (SELECT FROM plan_disputes d WHERE d.user_id = app.user_id()
                    AND d.state IN ('inquiry', 'open', 'under_review')) THEN 'dispute'
    WHEN lowest < 0 THEN 'debt'
    WHEN highest > 0 THEN 'balance' END;
END $$;
REVOKE ALL ON FUNCTION app.open_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_money() TO porchlight_app, porchlight_overseer;

-- file: functions/send_customer_email.sql
-- Create the write that gives a user's customer at Stripe the user's email address, for receipts. Each change has a write
-- of its own: what it brought is compared with the address of then when it is done.
--
-- Called by: billing, and the trigger of `users`.
-- SECURITY DEFINER: only the service role may create writes.
CREATE OR REPLACE FUNCTION app.send_customer_email(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('billing_customer_email', gen_random_uuid(), '', 'POST',
                                 '/v1/customers/' || b.customer_id, jsonb_build_object('email', u.email))
    FROM billing_customers b JOIN users u ON u.user_id = b.user_id
   WHERE b.user_id = wanted AND b.customer_id IS NOT NULL AND u.email <> ''
$$;
REVOKE ALL ON FUNCTION app.send_customer_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_customer_email(uuid) TO porchlight_overseer;

-- file: triggers/on_user_deleted.sql
-- Delete what belongs to an account when it is deleted: the onboarding draft, the guru, the documents and the granted
-- plans. The guru's site goes offline at once; a job deletes everything of it. Open bookings are canceled.
--
-- Postgres fires these triggers in the order of their names. The first two take the user's publish lock before any row
-- lock, as publishing does, so the two cannot wait for each other.
-- SECURITY DEFINER on the guru's and the plans' trigger: the app role can neither change whether a guru is published
-- nor write granted plans.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_onboarding() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_onboarding AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_onboarding();

CREATE OR REPLACE FUNCTION app.on_user_deleted_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = NEW.user_id;
  IF own_guru_id IS NOT NULL THEN
    PERFORM app.enqueue('onboarding:delete_guru', jsonb_build_object('tenant_id', own_guru_id), NULL);
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    UPDATE gurus SET published = false WHERE id = own_guru_id;
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_owner AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_owner();

CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();

CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR guru_id IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = NEW.user_id
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = NEW.user_id ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    PERFORM app.erase_bookings();
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();

CREATE OR REPLACE FUNCTION app.on_user_deleted_plans() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM plan_grants WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_plans() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_plans AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_plans();

-- file: triggers/on_user_deleted_billing.sql
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
    FROM plan_checkouts c WHERE c.user_id = NEW.user_id AND c.state = 'open' AND c.expires_at > now();
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

-- file: triggers/on_user_deleted_payouts.sql
-- Delete the payout account of a deleted account, unless money moved there. Then account and payouts stay for the books,
-- without bank accounts and cards.
-- SECURITY DEFINER: the app role cannot change payouts.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_payouts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM payout_accounts p WHERE p.user_id = NEW.user_id
     AND NOT EXISTS (SELECT FROM payouts o WHERE o.user_id = NEW.user_id)
     AND NOT EXISTS (SELECT FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
                      WHERE a.user_id = NEW.user_id AND a.kind = 'guru_stripe' AND b.seq > 0);
  UPDATE payout_accounts SET charges_enabled = false, payouts_enabled = false, details_submitted = false,
         currently_due = '{}', destinations = '{}', destinations_changed_at = NULL
   WHERE user_id = NEW.user_id;
  UPDATE payouts SET destination = '', last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_payouts() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_payouts AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_payouts();

-- file: triggers/on_user_email_changed.sql
-- Send a new email address to Stripe, if the user is a customer there.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the email address changes. The empty one of a deleted account is not sent.
CREATE OR REPLACE FUNCTION app.on_user_email_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.send_customer_email(NEW.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_changed AFTER UPDATE OF email ON users
    FOR EACH ROW WHEN (NEW.email <> OLD.email AND NEW.email <> '') EXECUTE FUNCTION app.on_user_email_changed();
