-- file: functions/lock_billing.sql
-- Let other changes of the billing of a user wait until the transaction ends.
--
-- Called by: the functions and rules of billing, before they read what they decide on.
CREATE OR REPLACE FUNCTION app.lock_billing(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('billing ' || wanted, 0))
$$;
-- file: functions/plan_change_kind.sql
-- Return what it means for the current user to ask for a plan: upgrade (now), downgrade (when the paid period ends),
-- cancel (likewise), keep (take a planned change back), or why it is not possible: no_subscription, payment_failed,
-- change_in_progress, change_pending, no_change.
--
-- Called by: billing and app.request_plan_change.
-- SECURITY DEFINER: callers get one word about their own subscription.
CREATE OR REPLACE FUNCTION app.plan_change_kind(wanted_plan text, wanted_interval text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  s subscriptions;
  is_planned boolean;
BEGIN
  SELECT c.* INTO s FROM subscriptions c
   WHERE c.user_id = app.user_id() AND c.state IN ('incomplete', 'active', 'past_due');
  is_planned := s.cancel_at_end OR s.next_plan IS NOT NULL;
  RETURN CASE
    WHEN s.state IS NULL OR s.state = 'incomplete' THEN 'no_subscription'
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      THEN 'change_in_progress'
    WHEN wanted_plan = s.plan AND wanted_interval = s.interval THEN CASE WHEN is_planned THEN 'keep' ELSE 'no_change' END
    WHEN is_planned THEN CASE WHEN wanted_plan = 'community' AND s.cancel_at_end THEN 'no_change' ELSE 'change_pending' END
    WHEN wanted_plan = 'community' THEN 'cancel'
    WHEN s.state = 'past_due' THEN 'payment_failed'
    WHEN s.plan = 'premium-angel' AND wanted_plan = 'skill-sharer' OR s.interval = 'year' AND wanted_interval = 'month'
      THEN 'downgrade'
    ELSE 'upgrade' END;
END $$;
REVOKE ALL ON FUNCTION app.plan_change_kind(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_change_kind(text, text) TO porchlight_app, porchlight_overseer;
-- file: functions/own_billing_customer.sql
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
-- file: functions/send_plan_checkout.sql
-- Create the write that opens a waiting checkout at Stripe, now that the customer is known there.
--
-- Called by: app.start_plan_checkout, and billing when Stripe created the customer.
-- SECURITY DEFINER: only the service role may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_checkout(checkout_id uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
-- file: functions/start_plan_checkout.sql
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
     AND former.return_url = start_plan_checkout.return_url AND coalesce(former.expires_at > now(), true) THEN
    id := former.id;
    -- The write of the customer may have ended without one.
    IF former.state = 'waiting' THEN
      PERFORM app.own_billing_customer();
    END IF;
    RETURN;
  END IF;
  IF former.id IS NOT NULL THEN
    UPDATE plan_checkouts c SET state = 'replaced' WHERE c.user_id = former.user_id AND c.id = former.id;
    IF former.session_id IS NOT NULL AND former.expires_at > now() THEN
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
-- file: functions/send_plan_change.sql
-- Create the next write of a requested change. A subscription that follows a schedule is released from it first.
-- An upgrade is charged now, and Stripe keeps the old plan until the charge succeeds.
--
-- Called by: app.request_plan_change, and billing when the release is done.
-- SECURITY DEFINER: only the service role may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_change(change_id uuid, is_released boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
-- file: functions/request_plan_change.sql
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
-- file: functions/own_plan_preview.sql
-- Return what Stripe needs in order to compute the charge of an upgrade of the current user's subscription.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role cannot read the catalog of prices.
CREATE OR REPLACE FUNCTION app.own_plan_preview(wanted_plan text, wanted_interval text)
RETURNS TABLE (customer_id text, sub_id text, item_id text, price_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.customer_id, s.sub_id, s.item_id, p.object_id
    FROM subscriptions s JOIN billing_customers b ON b.user_id = s.user_id
    JOIN billing_catalog p ON p.key = wanted_plan || '-' || wanted_interval
   WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due')
$$;
REVOKE ALL ON FUNCTION app.own_plan_preview(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_plan_preview(text, text) TO porchlight_app, porchlight_overseer;
-- file: functions/billing_portal_settings.sql
-- Return the id of the portal's settings at Stripe, or NULL before `porchlight billing sync`.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role cannot read the catalog.
CREATE OR REPLACE FUNCTION app.billing_portal_settings() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT object_id FROM billing_catalog WHERE key = 'portal'
$$;
REVOKE ALL ON FUNCTION app.billing_portal_settings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.billing_portal_settings() TO porchlight_app, porchlight_overseer;
-- file: functions/due_plan_notices.sql
-- Return the reminders of failed payments that are due: the first on the day of the failure, then after 5 and 12 days.
-- Of several that were missed, only the last one is due.
--
-- Called by: billing, in the job billing:send_reminders.
-- SECURITY DEFINER: it reads the subscriptions of all users.
CREATE OR REPLACE FUNCTION app.due_plan_notices()
RETURNS TABLE (user_id uuid, subscription_id uuid, past_due_since timestamptz, day integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('billing:send_reminders');
  RETURN QUERY
  SELECT s.user_id, s.id, s.past_due_since, max(d.day)
    FROM subscriptions s CROSS JOIN (VALUES (0), (5), (12)) d (day)
   WHERE s.state = 'past_due' AND s.past_due_since + make_interval(days => d.day) <= now()
     AND s.past_due_since + interval '14 days' > now()
   GROUP BY s.user_id, s.id, s.past_due_since
  HAVING NOT EXISTS (SELECT FROM plan_notices n WHERE n.user_id = s.user_id AND n.subscription_id = s.id
                       AND n.past_due_since = s.past_due_since AND n.day >= max(d.day));
END $$;
REVOKE ALL ON FUNCTION app.due_plan_notices() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plan_notices() TO porchlight_app, porchlight_overseer;
-- file: functions/money_open.sql
-- Return whether money of the current user is on its way: a charge for a change of the plan, or a refund. Until it has
-- arrived, the account cannot be deleted.
--
-- Called by: profiles, before it deletes an account.
-- SECURITY DEFINER: the app role cannot read stripe_outbox.
CREATE OR REPLACE FUNCTION app.money_open() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      OR EXISTS (SELECT FROM plan_invoices i
                  JOIN stripe_outbox o ON o.kind = 'plan_refund' AND o.subject_id = i.id
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown'))
$$;
REVOKE ALL ON FUNCTION app.money_open() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.money_open() TO porchlight_app, porchlight_overseer;
-- file: triggers/on_user_deleted_billing.sql
-- End what an account buys when it is deleted: its customer at Stripe is deleted, and with it the card and every live
-- subscription, without another charge. Invoices and amounts stay.
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
  UPDATE billing_customers SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  UPDATE subscriptions SET card_brand = '', card_last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_billing() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_billing AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_billing();
