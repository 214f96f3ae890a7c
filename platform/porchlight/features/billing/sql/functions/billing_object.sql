-- Return the id at Stripe of an object of the catalog: `portal`, the portal's settings, or a price, such as
-- `skill-sharer-month`, for a user whose subscription can change to it. NULL before `porchlight billing sync`.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role cannot read the catalog.
CREATE OR REPLACE FUNCTION app.billing_object(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.object_id FROM billing_catalog c
   WHERE c.key = wanted AND (wanted = 'portal' OR EXISTS (
           SELECT FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due')))
$$;
REVOKE ALL ON FUNCTION app.billing_object(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.billing_object(text) TO porchlight_app, porchlight_overseer;
