-- ledger

-- file: functions/decide_adjustment.sql
-- Approve or reject an adjustment that waits, and return its state, or NULL for an unknown id. One that was decided
-- keeps its state. An approval posts it; it needs the valid admin key of a named person who did not request it.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.decide_adjustment(adjustment uuid, holder text, approve boolean)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found_one adjustments;
BEGIN
  SELECT a.* INTO found_one FROM adjustments a WHERE a.id = adjustment FOR UPDATE;
  IF found_one.state IS DISTINCT FROM 'requested' THEN
    RETURN found_one.state;
  END IF;
  IF NOT approve THEN
    UPDATE adjustments a SET state = 'rejected', decided_by = holder, decided_at = now() WHERE a.id = adjustment;
    RETURN 'rejected';
  END IF;
  IF lower(holder) = lower(found_one.requested_by) OR NOT EXISTS (
    SELECT FROM admin_keys k WHERE lower(k.name) = lower(holder) AND k.revoked_at IS NULL
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'ck_adjustments_second_holder',
      MESSAGE = 'an adjustment above $100 needs a second holder of a key';
  END IF;
  UPDATE adjustments a SET decided_by = holder, decided_at = now() WHERE a.id = adjustment;
  PERFORM app.post_adjustment(adjustment);
  RETURN 'posted';
END $$;
REVOKE ALL ON FUNCTION app.decide_adjustment(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.decide_adjustment(uuid, text, boolean) TO porchlight_overseer;

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
  ON CONFLICT (id) DO NOTHING;
  INSERT INTO ledger_balances (account_id, kind, unit, floor)
  VALUES (account, found_kind.kind, found_kind.unit, found_kind.floor) ON CONFLICT (account_id) DO NOTHING;
  RETURN account;
END $$;
REVOKE ALL ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_account(text, text, uuid, uuid, uuid) TO porchlight_overseer;

-- file: functions/ledger_expire.sql
-- Release the holds whose time is over, and return their number. Holds that another transaction is ending are left to it.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_expire() RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  due record;
  expired integer := 0;
BEGIN
  FOR due IN SELECT h.subject_kind, h.subject_id FROM ledger_holds h WHERE h.state = 'held' AND h.expires_at <= now()
              ORDER BY h.account_id, h.id FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM app.ledger_release(due.subject_kind, due.subject_id, 'expired');
    expired := expired + 1;
  END LOOP;
  RETURN expired;
END $$;
REVOKE ALL ON FUNCTION app.ledger_expire() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_expire() TO porchlight_overseer;

-- file: functions/ledger_hold.sql
-- Reserve an amount of an account for a subject. Return the id of the hold; the same hold again returns the first id.
-- Another hold for this subject, or one that has ended, raises ledger_conflict. More than what is available (down to
-- the floor, or zero where the kind has none) raises a check violation, ledger_hold_available.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_hold(id uuid, account_id uuid, amount bigint, subject_kind text, subject_id text,
                                           expires_at timestamptz)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  known ledger_holds;
BEGIN
  INSERT INTO ledger_holds (id, account_id, amount, subject_kind, subject_id, expires_at)
  VALUES (ledger_hold.id, ledger_hold.account_id, ledger_hold.amount, ledger_hold.subject_kind, ledger_hold.subject_id,
          ledger_hold.expires_at)
  ON CONFLICT (subject_kind, subject_id) DO NOTHING;
  IF NOT FOUND THEN
    SELECT h.* INTO known FROM ledger_holds h
     WHERE h.subject_kind = ledger_hold.subject_kind AND h.subject_id = ledger_hold.subject_id;
    IF (known.account_id, known.amount, known.state)
       IS DISTINCT FROM (ledger_hold.account_id, ledger_hold.amount, 'held') THEN
      RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
        MESSAGE = format('%s %s has another hold', ledger_hold.subject_kind, ledger_hold.subject_id);
    END IF;
    RETURN known.id;
  END IF;
  UPDATE ledger_balances b SET reserved = b.reserved + ledger_hold.amount
   WHERE b.account_id = ledger_hold.account_id
     AND b.credits - b.debits - b.reserved - ledger_hold.amount >= coalesce(b.floor, 0);
  IF NOT FOUND THEN
    RAISE check_violation USING CONSTRAINT = 'ledger_hold_available',
      MESSAGE = 'the account has less than this available';
  END IF;
  RETURN ledger_hold.id;
END $$;
REVOKE ALL ON FUNCTION app.ledger_hold(uuid, uuid, bigint, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_hold(uuid, uuid, bigint, text, text, timestamptz) TO porchlight_overseer;

-- file: functions/ledger_release.sql
-- End the hold of a subject as posted, voided or expired, and return its id. Ending it the same way again changes
-- nothing; another end, or a subject without a hold, raises ledger_conflict.
--
-- Called by: money.posting.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.ledger_release(subject_kind text, subject_id text, state text)
RETURNS uuid LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  ended ledger_holds;
BEGIN
  UPDATE ledger_holds h SET state = ledger_release.state, ended_at = now()
   WHERE h.subject_kind = ledger_release.subject_kind AND h.subject_id = ledger_release.subject_id AND h.state = 'held'
  RETURNING h.* INTO ended;
  IF FOUND THEN
    UPDATE ledger_balances b SET reserved = b.reserved - ended.amount WHERE b.account_id = ended.account_id;
    RETURN ended.id;
  END IF;
  SELECT h.* INTO ended FROM ledger_holds h
   WHERE h.subject_kind = ledger_release.subject_kind AND h.subject_id = ledger_release.subject_id;
  IF ended.state IS DISTINCT FROM ledger_release.state THEN
    RAISE unique_violation USING CONSTRAINT = 'ledger_conflict',
      MESSAGE = format('the hold of %s %s: %s', ledger_release.subject_kind, ledger_release.subject_id,
                       coalesce(ended.state, 'there is none'));
  END IF;
  RETURN ended.id;
END $$;
REVOKE ALL ON FUNCTION app.ledger_release(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_release(text, text, text) TO porchlight_overseer;

-- file: functions/ledger_reverse.sql
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

-- file: functions/own_ledger_balances.sql
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

-- file: functions/own_ledger_statement.sql
-- Return at most 50 lines of the current user's account of a kind, the newest first: only those with a lower `seq` than
-- `before`, if that is given. `amount` is negative for debits; `counterpart` is the kind on the other side. The numbers
-- of an account have no gaps: its oldest line has seq 1.
--
-- Called by: console, payouts.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_statement(kind text, before bigint DEFAULT NULL)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  account uuid;
  below bigint := coalesce(own_ledger_statement.before, 9223372036854775807);
BEGIN
  SELECT a.id INTO account FROM ledger_accounts a
   WHERE a.user_id = app.user_id() AND a.kind = own_ledger_statement.kind;
  RETURN QUERY
    SELECT l.seq, t.at, t.event, t.subject_kind, t.subject_id, l.counterpart, l.amount, l.balance_after
      FROM ((SELECT d.debit_seq, d.credit_kind, -d.amount, d.debit_balance_after, d.transaction_id
               FROM ledger_transfers d WHERE d.debit_account = account AND d.debit_seq < below
              ORDER BY d.debit_seq DESC LIMIT 50)
            UNION ALL
            (SELECT c.credit_seq, c.debit_kind, c.amount, c.credit_balance_after, c.transaction_id
               FROM ledger_transfers c WHERE c.credit_account = account AND c.credit_seq < below
              ORDER BY c.credit_seq DESC LIMIT 50)) l (seq, counterpart, amount, balance_after, transaction_id)
      JOIN ledger_transactions t ON t.id = l.transaction_id
     ORDER BY l.seq DESC LIMIT 50;
END $$;
REVOKE ALL ON FUNCTION app.own_ledger_statement(text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_statement(text, bigint) TO porchlight_app;

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
  ON CONFLICT (subject_kind, subject_id, event) DO NOTHING;
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

-- file: functions/post_adjustment.sql
-- Post an adjustment that was decided. No role may call it; the functions that decide do.
--
-- Called by: app.request_adjustment, app.decide_adjustment.
CREATE OR REPLACE FUNCTION app.post_adjustment(adjustment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  one adjustments;
  posted uuid := gen_random_uuid();
BEGIN
  SELECT a.* INTO one FROM adjustments a WHERE a.id = adjustment;
  PERFORM app.post(posted, one.event, 'adjustment', one.id::text, ARRAY[one.debit_account], ARRAY[one.credit_account],
                   ARRAY[one.cents]);
  UPDATE adjustments a SET state = 'posted', transaction_id = posted WHERE a.id = adjustment;
END $$;
REVOKE ALL ON FUNCTION app.post_adjustment(uuid) FROM PUBLIC;

-- file: functions/request_adjustment.sql
-- Store an adjustment and return its state. Up to $100 it is posted at once. Above, it waits for the approval of a
-- second person, and `holder` must be the name of a person's valid admin key: who used a shared key is not known.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.request_adjustment(id uuid, event text, debit_account uuid, credit_account uuid,
                                                  cents bigint, reason text, holder text)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF request_adjustment.cents > 10000 AND NOT EXISTS (
    SELECT FROM admin_keys k WHERE lower(k.name) = lower(request_adjustment.holder) AND k.revoked_at IS NULL
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'ck_adjustments_second_holder', MESSAGE = 'the key has no known holder';
  END IF;
  INSERT INTO adjustments (id, event, debit_account, credit_account, cents, reason, requested_by)
  VALUES (request_adjustment.id, request_adjustment.event, request_adjustment.debit_account,
          request_adjustment.credit_account, request_adjustment.cents, request_adjustment.reason,
          request_adjustment.holder);
  IF request_adjustment.cents <= 10000 THEN
    PERFORM app.post_adjustment(request_adjustment.id);
    RETURN 'posted';
  END IF;
  RETURN 'requested';
END $$;
REVOKE ALL ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text) TO porchlight_overseer;

-- file: triggers/ledger.sql
-- Keep the ledger a record that only grows: entries and accounts never change, sums never fall, a hold ends once and a
-- decided adjustment stays as it is. The subject `adjustment` belongs to adjustments that were decided.
--
-- Fires on: ledger_transactions, ledger_transfers, ledger_accounts, ledger_balances, ledger_holds, adjustments.
CREATE OR REPLACE FUNCTION app.forbid_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'the ledger only grows', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transfers
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_accounts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_balances
    FOR EACH ROW WHEN (NEW.debits < OLD.debits OR NEW.credits < OLD.credits OR NEW.seq < OLD.seq
                       OR (NEW.account_id, NEW.kind, NEW.unit) <> (OLD.account_id, OLD.kind, OLD.unit))
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_balances
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_holds
    FOR EACH ROW WHEN (OLD.state <> 'held'
                       OR to_jsonb(NEW) - '{state,ended_at}'::text[] <> to_jsonb(OLD) - '{state,ended_at}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_holds
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON adjustments
    FOR EACH ROW WHEN (OLD.state <> 'requested'
                       OR to_jsonb(NEW) - '{state,decided_by,decided_at,transaction_id}'::text[]
                          <> to_jsonb(OLD) - '{state,decided_by,decided_at,transaction_id}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON adjustments
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transfers
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_balances
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_holds
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON adjustments
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE FUNCTION app.check_adjustment_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM adjustments a WHERE a.id::text = NEW.subject_id AND a.event = NEW.event
                    AND a.state = 'requested'
                    AND (a.cents <= 10000 OR lower(a.decided_by) <> lower(a.requested_by))) THEN
    RAISE check_violation USING MESSAGE = 'the adjustment was not decided';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_adjustment_decided BEFORE INSERT ON ledger_transactions
    FOR EACH ROW WHEN (NEW.subject_kind = 'adjustment') EXECUTE FUNCTION app.check_adjustment_decided();
