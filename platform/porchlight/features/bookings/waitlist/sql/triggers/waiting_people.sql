-- Keep the number of those who wait for each session. Other visitors see such a session as full.
--
-- Fires on: waitlist. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, 0, -1, 0);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    PERFORM app.count_session(NEW.tenant_id, NEW.appointment_id, 0, 1, 0);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();
