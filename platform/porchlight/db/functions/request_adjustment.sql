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
