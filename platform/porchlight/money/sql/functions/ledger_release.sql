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
  UPDATE ledger_holds h SET state = ledger_release.state, ended_at = app.now()
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
