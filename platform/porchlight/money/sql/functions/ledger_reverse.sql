-- Post the opposite of a whole transaction, once. Return the id of the reversal. The rules of `event` must permit it.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_reverse(id uuid, original uuid, event text, subject_kind text, subject_id text,
                                              stripe_object text)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  debits uuid[];
  credits uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(t.credit_account ORDER BY t.n), array_agg(t.debit_account ORDER BY t.n),
         array_agg(t.amount ORDER BY t.n)
    INTO debits, credits, amounts FROM ledger_transfers t WHERE t.transaction_id = original;
  RETURN app.post(ledger_reverse.id, ledger_reverse.event, ledger_reverse.subject_kind, ledger_reverse.subject_id,
                  debits, credits, amounts, ledger_reverse.stripe_object, original);
END $$;
REVOKE ALL ON FUNCTION app.ledger_reverse(uuid, uuid, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_reverse(uuid, uuid, text, text, text, text) TO porchlight_overseer;
