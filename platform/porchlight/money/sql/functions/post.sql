-- Post an event of a subject: for each leg, move an amount from the debited to the credited account. Return the id of
-- the transaction. Posting the same again returns the first id; anything else for this subject and event raises
-- ledger_conflict. Balances below the floor, mixed units and pairs of kinds without a rule are refused by constraints.
--
-- Balance rows are locked in the order of their account ids, in which the platform's accounts come last. Legs are posted
-- in the given order, so that a leg can spend what an earlier one brought.
--
-- Called by: money.posting, app.request_adjustment, app.decide_adjustment and app.post_many.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.post(id uuid, event text, subject_kind text, subject_id text, debits uuid[],
                                    credits uuid[], amounts bigint[], stripe_object text DEFAULT '',
                                    reverses uuid DEFAULT NULL)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  content bytea := sha256(convert_to(concat_ws('|', post.event, post.debits, post.credits, post.amounts,
                                               post.stripe_object, post.reverses), 'UTF8'));
  known ledger_transactions;
  cents bigint;  -- or minutes
  debited ledger_balances;
  credited ledger_balances;
BEGIN
  IF (cardinality(post.debits) > 0 AND cardinality(post.debits) = cardinality(post.credits)
      AND cardinality(post.debits) = cardinality(post.amounts) AND 0 < ALL (post.amounts)) IS NOT TRUE THEN
    RAISE invalid_parameter_value USING MESSAGE = 'a posting has one or more legs, each with an amount above 0';
  END IF;
  INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, stripe_object, digest, reverses)
  VALUES (post.id, post.event, post.subject_kind, post.subject_id, post.stripe_object, content, post.reverses)
  ON CONFLICT DO NOTHING;  -- of all its unique keys: a concurrent reversal conflicts with its subject and its original
  IF NOT FOUND THEN
    SELECT t.* INTO known FROM ledger_transactions t
     WHERE t.subject_kind = post.subject_kind AND t.subject_id = post.subject_id AND t.event = post.event;
    IF known.digest IS DISTINCT FROM content THEN
      RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
        MESSAGE = format('%s of %s %s was posted otherwise', post.event, post.subject_kind, post.subject_id);
    END IF;
    RETURN known.id;
  END IF;

  PERFORM FROM ledger_balances b WHERE b.account_id = ANY (post.debits || post.credits)
    ORDER BY b.account_id FOR NO KEY UPDATE;
  FOR leg IN 1 .. cardinality(post.debits) LOOP
    cents := post.amounts[leg];
    UPDATE ledger_balances b SET debits = b.debits + cents, seq = b.seq + 1
     WHERE b.account_id = post.debits[leg] RETURNING b.* INTO debited;
    UPDATE ledger_balances b SET credits = b.credits + cents, seq = b.seq + 1
     WHERE b.account_id = post.credits[leg] RETURNING b.* INTO credited;
    INSERT INTO ledger_transfers (transaction_id, n, event, unit, amount, debit_account, debit_kind, debit_seq,
      debit_balance_after, credit_account, credit_kind, credit_seq, credit_balance_after)
    VALUES (post.id, leg, post.event, debited.unit, cents, post.debits[leg], debited.kind, debited.seq,
      debited.credits - debited.debits, post.credits[leg], credited.kind, credited.seq,
      credited.credits - credited.debits);
  END LOOP;
  RETURN post.id;
END $$;
REVOKE ALL ON FUNCTION app.post(uuid, text, text, text, uuid[], uuid[], bigint[], text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.post(uuid, text, text, text, uuid[], uuid[], bigint[], text, uuid) TO porchlight_overseer;
