-- Return at most 50 lines of the current user's account of a kind, the newest first (see app.own_ledger_lines).
--
-- Called by: console, payouts.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_statement(kind text, before bigint DEFAULT NULL)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.own_ledger_lines(kind, before, 50)
$$;
REVOKE ALL ON FUNCTION app.own_ledger_statement(text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_statement(text, bigint) TO porchlight_app;
