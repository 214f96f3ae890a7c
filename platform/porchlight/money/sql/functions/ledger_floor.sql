-- Lower the lowest balance of an account. A floor never rises: the balance may be below it already.
--
-- Called by: app.enter_exchange.
CREATE OR REPLACE FUNCTION app.ledger_floor(account uuid, lowest bigint) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  UPDATE ledger_balances b SET floor = lowest WHERE b.account_id = account AND b.floor > lowest
$$;
REVOKE ALL ON FUNCTION app.ledger_floor(uuid, bigint) FROM PUBLIC;
