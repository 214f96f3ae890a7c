-- Return the current user's balances as a guru, in cents: held until sessions take place, payable, debt after refunds,
-- and the balance of the connected account. Always one row.
--
-- Called by: payouts.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_balances(OUT held bigint, OUT payable bigint, OUT debt bigint,
                                                   OUT stripe bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(b.credits - b.debits) FILTER (WHERE b.kind = 'guru_held'), 0),
         greatest(coalesce(sum(b.credits - b.debits) FILTER (WHERE b.kind = 'guru_payable'), 0), 0),
         greatest(coalesce(sum(b.debits - b.credits) FILTER (WHERE b.kind = 'guru_payable'), 0), 0),
         coalesce(sum(b.credits - b.debits) FILTER (WHERE b.kind = 'guru_stripe'), 0)
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id WHERE a.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.own_ledger_balances() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_balances() TO porchlight_app;
