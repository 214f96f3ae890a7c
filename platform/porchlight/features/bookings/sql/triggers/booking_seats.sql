-- Keep the number of occupied seats of each appointment equal to the parties of its bookings. The constraint on the
-- number rejects one seat too many. A session without bookings ends, and its time is free again, unless its start is
-- fixed.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    UPDATE appointments a SET taken = a.taken - OLD.party,
                              live = a.live AND (a.fixed OR a.taken > OLD.party OR a.kind = 'block')
     WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status) THEN
    UPDATE appointments a SET taken = a.taken + NEW.party, live = true
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();
