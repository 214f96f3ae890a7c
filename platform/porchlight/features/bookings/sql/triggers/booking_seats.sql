-- Keep the number of occupied seats of each appointment equal to the parties of its bookings (app.count_session).
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, -OLD.party, 0, 0);
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status)
     AND NOT app.count_session(NEW.tenant_id, NEW.appointment_id, NEW.party, 0, 0) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();
