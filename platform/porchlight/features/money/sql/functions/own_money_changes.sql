-- Return what changed the current user's money as a guru from one instant to another: each transaction once, whichever of
-- their accounts it touched. `net` is the change of all of them together, so what only moves between them is left out.
-- `fee` is what the platform got in the same transaction, negative for what it returned. In cents.
--
-- The first and the last line of the period are found by halving: the numbers of an account have no gaps. A line is
-- numbered when its transaction locks the account, and dated when it begins: `slack` is longer than any transaction.
-- A refund that was the platform's fee alone touches no account of the guru: it is found by its payment.
--
-- Called by: console.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_money_changes(from_at timestamptz, until_at timestamptz, slack interval)
RETURNS TABLE (id uuid, at timestamptz, event text, subject_kind text, subject_id text, net bigint, fee bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  one record;
  bound timestamptz;
  accounts uuid[] := '{}';
  bounds bigint[] := '{}';  -- of each account: the first number, and the one after the last
  low bigint;
  high bigint;
  middle bigint;
BEGIN
  FOR one IN
    SELECT a.id, b.seq FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
     WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe')
  LOOP
    accounts := accounts || one.id;
    FOREACH bound IN ARRAY ARRAY[own_money_changes.from_at - slack, own_money_changes.until_at + slack] LOOP
      low := 1;
      high := one.seq + 1;
      WHILE low < high LOOP
        middle := (low + high) >> 1;
        IF (SELECT t.at FROM ledger_transactions t WHERE t.id = coalesce(
              (SELECT d.transaction_id FROM ledger_transfers d WHERE d.debit_account = one.id AND d.debit_seq = middle),
              (SELECT c.transaction_id FROM ledger_transfers c WHERE c.credit_account = one.id AND c.credit_seq = middle)
            )) < bound THEN
          low := middle + 1;
        ELSE
          high := middle;
        END IF;
      END LOOP;
      bounds := bounds || low;
    END LOOP;
  END LOOP;

  RETURN QUERY
    WITH mine AS MATERIALIZED (
      SELECT a.id, bounds[a.n + a.n - 1] AS first, bounds[a.n + a.n] AS past
        FROM unnest(accounts) WITH ORDINALITY AS a (id, n)),
    touched AS (
      SELECT d.transaction_id, -d.amount AS net
        FROM mine m JOIN ledger_transfers d ON d.debit_account = m.id AND d.debit_seq >= m.first AND d.debit_seq < m.past
      UNION ALL
      SELECT c.transaction_id, c.amount
        FROM mine m JOIN ledger_transfers c ON c.credit_account = m.id AND c.credit_seq >= m.first
         AND c.credit_seq < m.past
      UNION ALL
      SELECT t.id, 0
        FROM refunds r JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id
        JOIN ledger_transactions t ON t.subject_kind = 'refund' AND t.subject_id = r.id::text
       WHERE p.owner_id = app.user_id() AND r.fee_cents = r.amount_cents),
    changed AS (SELECT transaction_id, sum(net)::bigint AS net FROM touched GROUP BY transaction_id)
    SELECT t.id, t.at, t.event, t.subject_kind, t.subject_id, c.net, f.fee
      FROM changed c JOIN ledger_transactions t ON t.id = c.transaction_id
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(CASE WHEN l.credit_kind = 'platform_fees' THEN l.amount
                                WHEN l.debit_kind = 'platform_fees' THEN -l.amount END), 0)::bigint AS fee
         FROM ledger_transfers l WHERE l.transaction_id = t.id) f
     WHERE t.at >= own_money_changes.from_at AND t.at < own_money_changes.until_at AND (c.net <> 0 OR f.fee <> 0);
END $$;
REVOKE ALL ON FUNCTION app.own_money_changes(timestamptz, timestamptz, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_money_changes(timestamptz, timestamptz, interval) TO porchlight_app;
