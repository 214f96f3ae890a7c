-- Return the booking of a customer's link, and the id that takes the place of their account. No row for an unknown
-- link.
--
-- Called by: bookings, for the page on which a customer without an account sees their session.
-- SECURITY DEFINER: a customer is no user. The token is the permission; the tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_customer(link_token uuid, OUT booking_id uuid, OUT person_id uuid)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id, b.person_id FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.customer_token = link_token
$$;
REVOKE ALL ON FUNCTION app.find_customer(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_customer(uuid) TO porchlight_app;
