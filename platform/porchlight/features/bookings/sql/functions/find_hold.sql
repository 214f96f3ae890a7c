-- Return the hold with this token's digest, of the transaction's tenant, unless another user has taken it over.
--
-- Called by: bookings, for the page on which a visitor signs in and books.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.find_hold(token_hash bytea) RETURNS SETOF bookings
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.* FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash
     AND (b.person_id IS NULL OR b.person_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.find_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_hold(bytea) TO porchlight_app;
