-- Approve or reject an adjustment that waits, and return its state. One that was decided before keeps its state; the
-- answer is then 'decided', so that only the person who decided is recorded. NULL for an unknown id. An approval posts
-- it; it needs the valid admin key of a named person who did not request it.
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
    RETURN CASE WHEN found_one.id IS NOT NULL THEN 'decided' END;
  END IF;
  IF NOT approve THEN
    UPDATE adjustments a SET state = 'rejected', decided_by = holder, decided_at = app.now() WHERE a.id = adjustment;
    RETURN 'rejected';
  END IF;
  IF lower(holder) = lower(found_one.requested_by) OR NOT EXISTS (
    SELECT FROM admin_keys k WHERE lower(k.name) = lower(holder) AND k.revoked_at IS NULL
  ) THEN
    RAISE check_violation USING CONSTRAINT = 'ck_adjustments_second_holder',
      MESSAGE = 'an adjustment above $100 needs a second holder of a key';
  END IF;
  UPDATE adjustments a SET decided_by = holder, decided_at = app.now() WHERE a.id = adjustment;
  PERFORM app.post_adjustment(adjustment);
  RETURN 'posted';
END $$;
REVOKE ALL ON FUNCTION app.decide_adjustment(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.decide_adjustment(uuid, text, boolean) TO porchlight_overseer;
