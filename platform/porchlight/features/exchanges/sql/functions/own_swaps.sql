-- Return how many minutes more the current user gave than got, for each neighbor with whom they swapped, at most
-- `max_rows`, the newest first. `exchange_id`: the last swap of the two, by which the caller reads who it is.
--
-- Called by: exchanges.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_swaps(max_rows integer) RETURNS TABLE (exchange_id uuid, minutes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.id, b.credits - b.debits
    FROM (SELECT DISTINCT ON (o.person) e.id, o.person
            FROM exchanges e
           CROSS JOIN LATERAL (
             SELECT CASE WHEN e.person_a_id = app.user_id() THEN e.person_b_id ELSE e.person_a_id END AS person) o
           WHERE app.user_id() IN (e.person_a_id, e.person_b_id) AND e.mode = 'swap'
             AND e.record_state IN ('settled', 'reversed')
           ORDER BY o.person, e.id DESC) p
    JOIN ledger_accounts a ON a.kind = 'swap_balance' AND a.unit = 'min' AND a.tenant_id IS NULL AND a.user_id IS NULL
                          AND a.pair_id = md5(concat_ws('/', 'swap', app.user_id(), p.person))::uuid
    JOIN ledger_balances b ON b.account_id = a.id
   ORDER BY p.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.own_swaps(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_swaps(integer) TO porchlight_app;
