-- Post many events in order, with the outcome of one app.post after the other: the same entries, running balances, ids
-- and refusals. `postings` is an array of objects with the arguments of app.post (without `reverses`). Return the ids of
-- the transactions, in order.
--
-- Each step is one statement for the whole batch, so that a balance is updated once and not once for each leg: an update
-- reads all versions of its row that its own transaction has made. Transactions are inserted in the order of their
-- subjects, and then balance rows are locked in the order of app.post, so that batches do not meet in a deadlock.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.post_many(postings jsonb)
RETURNS uuid[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  transactions uuid[];
  added uuid[];
  accounts uuid[];
  is_refused boolean;
  one record;
BEGIN
  WITH given AS MATERIALIZED (SELECT * FROM app.ledger_postings(postings)),
  inserted AS (
    INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, stripe_object, digest)
    SELECT g.id, g.event, g.subject_kind, g.subject_id, g.stripe_object, g.digest FROM given g
     ORDER BY g.subject_kind, g.subject_id, g.event, g.number
    ON CONFLICT (subject_kind, subject_id, event) DO NOTHING RETURNING id)
  SELECT array_agg(g.id ORDER BY g.number), (SELECT array_agg(i.id) FROM inserted i),
         (SELECT array_agg(DISTINCT account) FROM given, unnest(debits || credits) account),
         count(*) <> count(DISTINCT g.id)
         OR bool_or((cardinality(g.debits) > 0 AND cardinality(g.debits) = cardinality(g.credits)
                     AND cardinality(g.debits) = cardinality(g.amounts) AND 0 < ALL (g.amounts)) IS NOT TRUE)
    INTO transactions, added, accounts, is_refused FROM given g;

  IF cardinality(added) IS DISTINCT FROM cardinality(transactions) THEN
    -- Those that were posted before, be it earlier in this batch, must have the same content. LIMIT: each is looked up
    -- in the index, also by a plan that was made when the table was small.
    SELECT array_agg(t.id ORDER BY g.number), is_refused OR bool_or(t.digest <> g.digest)
      INTO transactions, is_refused
      FROM app.ledger_postings(postings) g CROSS JOIN LATERAL (
        SELECT t.id, t.digest FROM ledger_transactions t
         WHERE t.subject_kind = g.subject_kind AND t.subject_id = g.subject_id AND t.event = g.event LIMIT 1) t;
  END IF;
  IF is_refused THEN
    RAISE integrity_constraint_violation;
  END IF;

  PERFORM FROM ledger_balances b WHERE b.account_id = ANY (accounts) ORDER BY b.account_id FOR NO KEY UPDATE;
  WITH legs AS MATERIALIZED (
    SELECT g.id, g.event, l.n, l.debit, l.credit, l.amount, row_number() OVER (ORDER BY g.number, l.n) AS step
      FROM app.ledger_postings(postings) g
     CROSS JOIN unnest(g.debits, g.credits, g.amounts) WITH ORDINALITY l (debit, credit, amount, n)
     WHERE g.id = ANY (added)),
  sides AS MATERIALIZED (
    SELECT s.*, b.unit, b.kind, b.seq + row_number() OVER w AS seq, b.reserved + b.floor AS least,
           b.credits - b.debits + (sum(s.change) OVER w)::bigint AS balance_after
      FROM (SELECT l.*, true AS is_debit, l.debit AS account, -l.amount AS change FROM legs l
            UNION ALL SELECT l.*, false, l.credit, l.amount FROM legs l) s
      LEFT JOIN ledger_balances b ON b.account_id = s.account AND b.account_id = ANY (accounts)
    WINDOW w AS (PARTITION BY s.account ORDER BY s.step, s.is_debit DESC)),
  transfers AS (
    INSERT INTO ledger_transfers (transaction_id, n, event, unit, amount, debit_account, debit_kind, debit_seq,
      debit_balance_after, credit_account, credit_kind, credit_seq, credit_balance_after)
    SELECT id, n, event, max(unit) FILTER (WHERE is_debit), amount,
           debit, max(kind) FILTER (WHERE is_debit), max(seq) FILTER (WHERE is_debit),
           max(balance_after) FILTER (WHERE is_debit),
           credit, max(kind) FILTER (WHERE NOT is_debit), max(seq) FILTER (WHERE NOT is_debit),
           max(balance_after) FILTER (WHERE NOT is_debit)
      FROM sides GROUP BY id, n, event, amount, debit, credit),
  balances AS (
    UPDATE ledger_balances b SET debits = b.debits + s.debits, credits = b.credits + s.credits, seq = b.seq + s.n
      FROM (SELECT account, count(*) AS n, coalesce(sum(amount) FILTER (WHERE is_debit), 0) AS debits,
                   coalesce(sum(amount) FILTER (WHERE NOT is_debit), 0) AS credits FROM sides GROUP BY account) s
     WHERE b.account_id = s.account)
  SELECT bool_or(balance_after < least) INTO is_refused FROM sides;
  IF is_refused THEN
    RAISE integrity_constraint_violation;
  END IF;
  RETURN transactions;
EXCEPTION WHEN integrity_constraint_violation THEN
  -- Which posting is refused, and why, is a question of their order.
  transactions := '{}';
  FOR one IN SELECT * FROM app.ledger_postings(postings) g ORDER BY g.number LOOP
    transactions := transactions || app.post(one.id, one.event, one.subject_kind, one.subject_id, one.debits,
                                             one.credits, one.amounts, one.stripe_object);
  END LOOP;
  RETURN transactions;
END $$;
REVOKE ALL ON FUNCTION app.post_many(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.post_many(jsonb) TO porchlight_overseer;
