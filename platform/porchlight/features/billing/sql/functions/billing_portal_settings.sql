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
