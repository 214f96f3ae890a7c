-- concurrent ledger accounts

-- file: functions/ledger_account.sql
-- Return the account of a kind and its owner; create it with its balance if it is missing. Accounts of the platform and
-- of the outside have no owner, those of gurus and customers a user, those of pairs a pair.
--
-- The id is a hash of kind and owner, so that finding an account is one read by key. The accounts of the platform
-- begin with ffffffff: they come last in the order of locks, after the accounts of users that a transaction already
-- holds.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_account(kind text, unit text, tenant_id uuid, user_id uuid, pair_id uuid)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  is_shared boolean := num_nonnulls(ledger_account.tenant_id, ledger_account.user_id, ledger_account.pair_id) = 0;
  key text := md5(concat_ws('/', ledger_account.kind, ledger_account.unit, 't' || ledger_account.tenant_id,
                            'u' || ledger_account.user_id, 'p' || ledger_account.pair_id));
  account uuid := CASE WHEN is_shared THEN 'ffffffff' || substr(key, 9) ELSE key END;
  found_kind ledger_kinds;
BEGIN
  IF EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = account) THEN
    RETURN account;
  END IF;
  SELECT k.* INTO found_kind FROM ledger_kinds k WHERE k.kind = ledger_account.kind AND k.unit = ledger_account.unit;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING
      MESSAGE = format('there is no kind %s in %s', ledger_account.kind, ledger_account.unit);
  END IF;
  IF (found_kind.holder IN ('external', 'platform')) <> is_shared
     OR (found_kind.holder = 'pair') <> (ledger_account.pair_id IS NOT NULL)
     OR ledger_account.tenant_id IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('%s is a kind of accounts with another owner: %s', found_kind.kind, found_kind.holder);
  END IF;
  INSERT INTO ledger_accounts (id, kind, unit, tenant_id, user_id, pair_id)
  VALUES (account, found_kind.kind, found_kind.unit, ledger_account.tenant_id, ledger_account.user_id,
          ledger_account.pair_id)
  ON CONFLICT DO NOTHING;  -- of all its unique keys: a concurrent insert of the same account conflicts with each
  INSERT INTO ledger_balances (account_id, kind, unit, floor)
  VALUES (account, found_kind.kind, found_kind.unit, found_kind.floor) ON CONFLICT (account_id) DO NOTHING;
  RETURN account;
END $$;
REVOKE ALL ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) TO porchlight_overseer;

-- file: functions/post.sql
-- Post an event of a subject: for each leg, move an amount from the debited to the credited account. Return the id of
-- the transaction. Posting the same again returns the first id; anything else for this subject and event raises
-- ledger_conflict. Balances below the floor, mixed units and pairs of kinds without a rule are refused by constraints.
--
-- Balance rows are locked in the order of their account ids, in which the platform's accounts come last. Legs are posted
-- in the given order, so that a leg can spend what an earlier one brought.
--
-- Called by: money.posting, app.ledger_reverse and the functions of adjustments.
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
