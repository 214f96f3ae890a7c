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
