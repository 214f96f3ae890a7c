-- Reject a change of a booking's status that is not in the table of transitions. A hold that has expired is booked after
-- all if its payment arrives late and its seats are still free.
--
-- Fires on: bookings.
CREATE OR REPLACE FUNCTION app.check_booking_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.status, NEW.status) IN (
       ('held', 'requested'), ('held', 'confirmed'), ('held', 'expired'),
       ('expired', 'requested'), ('expired', 'confirmed'),
       ('requested', 'confirmed'), ('requested', 'declined'), ('requested', 'canceled'), ('requested', 'expired'),
       ('confirmed', 'canceled'), ('confirmed', 'missed'), ('confirmed', 'completed'),
       ('missed', 'confirmed'), ('missed', 'completed'), ('completed', 'missed')) THEN
    RAISE check_violation USING MESSAGE = format('a booking cannot change from %s to %s', OLD.status, NEW.status);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_booking_transition BEFORE UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION app.check_booking_transition();
