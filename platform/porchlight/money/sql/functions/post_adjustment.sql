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
