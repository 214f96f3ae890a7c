-- Return the newest lines of the current user's account of a kind: only those with a lower `seq` than `before`, if that is
-- given. `amount` is negative for debits; `counterpart` is the kind on the other side. The numbers of an account have no
-- gaps: its oldest line has seq 1.
--
-- Called by: console.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_lines(kind text, before bigint, max_lines integer)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  account uuid;
  below bigint := coalesce(own_ledger_lines.before, 9223372036854775807);
BEGIN
  SELECT a.id INTO account FROM ledger_accounts a
   WHERE a.user_id = app.user_id() AND a.kind = own_ledger_lines.kind;
  RETURN QUERY
    SELECT l.seq, t.at, t.event, t.subject_kind, t.subject_id, l.counterpart, l.amount, l.balance_after
      FROM ((SELECT d.debit_seq, d.credit_kind, -d.amount, d.debit_balance_after, d.transaction_id
               FROM ledger_transfers d WHERE d.debit_account = account AND d.debit_seq < below
              ORDER BY d.debit_seq DESC LIMIT max_lines)
            UNION ALL
            (SELECT c.credit_seq, c.debit_kind, c.amount, c.credit_balance_after, c.transaction_id
               FROM ledger_transfers c WHERE c.credit_account = account AND c.credit_seq < below
              ORDER BY c.credit_seq DESC LIMIT max_lines)) l (seq, counterpart, amount, balance_after, transaction_id)
      JOIN ledger_transactions t ON t.id = l.transaction_id
     ORDER BY l.seq DESC LIMIT max_lines;
END $$;
REVOKE ALL ON FUNCTION app.own_ledger_lines(text, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_lines(text, bigint, integer) TO porchlight_app;
