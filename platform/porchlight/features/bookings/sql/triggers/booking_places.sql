-- Keep the place of a booking correct when it moves. If the guru changed the place of the new session, it gets that one;
-- else, if it leaves a session of the guru's schedule whose place was changed, it gets the service's. The person's
-- address is kept only for a session at their place, and is erased if the booking is declined, canceled or expires.
--
-- Fires on: bookings.
CREATE OR REPLACE FUNCTION app.keep_place() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.appointment_id <> OLD.appointment_id THEN
    SELECT coalesce(a.place, CASE WHEN b.fixed AND b.place IS NOT NULL THEN t.place END, NEW.place),
           coalesce(a.place_text, CASE WHEN b.fixed AND b.place IS NOT NULL THEN t.place_text END, NEW.place_text)
      INTO NEW.place, NEW.place_text
      FROM appointments a
      JOIN appointments b ON b.tenant_id = a.tenant_id AND b.id = OLD.appointment_id
      LEFT JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  IF NEW.place <> 'person' OR NEW.status IN ('declined', 'canceled', 'expired') THEN
    NEW.person_address := '';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_place BEFORE UPDATE OF appointment_id, place, person_address, status ON bookings
    FOR EACH ROW WHEN ((OLD.appointment_id, OLD.place, OLD.person_address, OLD.status)
                       IS DISTINCT FROM (NEW.appointment_id, NEW.place, NEW.person_address, NEW.status))
    EXECUTE FUNCTION app.keep_place();
