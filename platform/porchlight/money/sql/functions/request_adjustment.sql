-- Store an adjustment and return its state. Its requester must be the holder of a valid named key: who used a shared
-- key is not known. It is posted at once if, with it, the adjustments of 24 hours that no second person approved stay
-- at $100 or less: those of the holder, and those of the person by all holders. Otherwise it waits for the approval
-- of a second person. (Corrections of suspense count as those of one person.)
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.request_adjustment(id uuid, event text, debit_account uuid, credit_account uuid,
                                                  cents bigint, reason text, holder text)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  person uuid;
  of_holder bigint;
  of_person bigint;
BEGIN
  IF NOT EXISTS (
    SELECT FROM admin_keys k WHERE lower(k.name) = lower(request_adjustment.holder) AND k.revoked_at IS NULL
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'ck_adjustments_named_holder', MESSAGE = 'the key has no known holder';
  END IF;
  INSERT INTO adjustments (id, event, debit_account, credit_account, cents, reason, requested_by)
  VALUES (request_adjustment.id, request_adjustment.event, request_adjustment.debit_account,
          request_adjustment.credit_account, request_adjustment.cents, request_adjustment.reason,
          request_adjustment.holder);
  PERFORM pg_advisory_xact_lock(hashtextextended('adjustments', 0));  -- the sums count each other's
  SELECT a.user_id INTO person FROM ledger_accounts a
   WHERE a.id IN (request_adjustment.debit_account, request_adjustment.credit_account) AND a.user_id IS NOT NULL;
  SELECT coalesce(sum(a.cents) FILTER (WHERE lower(a.requested_by) = lower(request_adjustment.holder)), 0),
         coalesce(sum(a.cents) FILTER (WHERE coalesce(d.user_id, c.user_id) IS NOT DISTINCT FROM person), 0)
    INTO of_holder, of_person
    FROM adjustments a
    JOIN ledger_accounts d ON d.id = a.debit_account
    JOIN ledger_accounts c ON c.id = a.credit_account
   WHERE a.state = 'posted' AND a.decided_by IS NULL AND a.requested_at > app.now() - interval '1 day';
  IF request_adjustment.cents + greatest(of_holder, of_person) > 10000 THEN
    RETURN 'requested';
  END IF;
  PERFORM app.post_adjustment(request_adjustment.id);
  RETURN 'posted';
END $$;
REVOKE ALL ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text) TO porchlight_overseer;
