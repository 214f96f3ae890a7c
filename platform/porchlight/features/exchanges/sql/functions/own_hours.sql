-- Return the current user's hours, in minutes: the balance, what is reserved for agreed sessions, and the lowest balance.
--
-- Called by: exchanges.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_hours() RETURNS TABLE (balance bigint, reserved bigint, floor bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.balance, a.reserved, a.floor FROM app.hours_account(app.user_id()) a WHERE app.user_id() IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.own_hours() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_hours() TO porchlight_app;
