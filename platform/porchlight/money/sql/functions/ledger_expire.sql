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
  FOR due IN SELECT h.subject_kind, h.subject_id FROM ledger_holds h WHERE h.state = 'held' AND h.expires_at <= app.now()
              ORDER BY h.account_id, h.id FOR UPDATE SKIP LOCKED
  LOOP
    PERFORM app.ledger_release(due.subject_kind, due.subject_id, 'expired');
    expired := expired + 1;
  END LOOP;
  RETURN expired;
END $$;
REVOKE ALL ON FUNCTION app.ledger_expire() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ledger_expire() TO porchlight_overseer;
