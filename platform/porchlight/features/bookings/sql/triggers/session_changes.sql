-- Increase the number of a session with each change of its confirmed bookings: a class is one event in the guru's
-- calendar, and calendars apply an update only if its number is higher. A booking that moves stores the session that it
-- left, because that event changes too.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.number_session_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.count_session(NEW.tenant_id, NEW.appointment_id, 0, 0, 1);
  IF NEW.appointment_id <> OLD.appointment_id THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, 0, 0, 1);
    NEW.left_appointment_id := OLD.appointment_id;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER number_session_change BEFORE UPDATE OF status, sequence, appointment_id, party ON bookings
    FOR EACH ROW WHEN ((OLD.status = 'confirmed' OR NEW.status = 'confirmed')
                       AND (OLD.status, OLD.sequence, OLD.appointment_id, OLD.party)
                       IS DISTINCT FROM (NEW.status, NEW.sequence, NEW.appointment_id, NEW.party))
    EXECUTE FUNCTION app.number_session_change();
