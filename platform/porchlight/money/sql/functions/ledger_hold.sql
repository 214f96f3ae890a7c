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
