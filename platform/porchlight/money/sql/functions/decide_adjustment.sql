-- Post or reject an adjustment that waits, as porchlight.money.adjustment_rules decided. The caller holds the lock of
-- adjustments; one that was decided before stays as it is.
--
-- Called by: money.adjustments.
-- SECURITY DEFINER: no other role may write to the ledger.
CREATE OR REPLACE FUNCTION app.decide_adjustment(adjustment uuid, holder text, approve boolean)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE adjustments a
     SET decided_by = holder, decided_at = app.now(), state = CASE WHEN approve THEN a.state ELSE 'rejected' END
   WHERE a.id = adjustment AND a.state = 'requested';
  IF FOUND AND approve THEN
    UPDATE adjustments a SET state = 'posted', transaction_id = app.post(
             gen_random_uuid(), a.event, 'adjustment', a.id::text, ARRAY[a.debit_account], ARRAY[a.credit_account],
             ARRAY[a.cents])
     WHERE a.id = adjustment;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.decide_adjustment(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.decide_adjustment(uuid, text, boolean) TO porchlight_overseer;
