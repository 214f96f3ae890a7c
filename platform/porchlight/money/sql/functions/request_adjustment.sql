-- Store an adjustment that porchlight.money.adjustment_rules decided, and post it at once if it may be posted `alone`. A
-- trigger and a constraint refuse that above $100. The caller holds the lock of adjustments.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.request_adjustment(id uuid, event text, debit_account uuid, credit_account uuid,
                                                  cents bigint, reason text, holder text, alone boolean)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO adjustments (id, event, debit_account, credit_account, cents, reason, requested_by)
  VALUES (request_adjustment.id, request_adjustment.event, request_adjustment.debit_account,
          request_adjustment.credit_account, request_adjustment.cents, request_adjustment.reason,
          request_adjustment.holder);
  IF alone THEN
    UPDATE adjustments a SET state = 'posted', transaction_id = app.post(
             gen_random_uuid(), a.event, 'adjustment', a.id::text, ARRAY[a.debit_account], ARRAY[a.credit_account],
             ARRAY[a.cents])
     WHERE a.id = request_adjustment.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_adjustment(uuid, text, uuid, uuid, bigint, text, text, boolean)
  TO porchlight_overseer;
