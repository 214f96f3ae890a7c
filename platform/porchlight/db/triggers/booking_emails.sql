-- Queue the emails about each change of a booking, in the transaction of the change, so that no change is without them.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may not queue these emails itself.
CREATE OR REPLACE FUNCTION app.add_booking_emails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kind text := CASE
    WHEN OLD.status = 'confirmed' AND NEW.status = 'confirmed' THEN 'moved'
    WHEN OLD.status = 'held' AND NEW.status = 'requested' THEN 'requested'
    WHEN OLD.status = 'held' AND NEW.status = 'confirmed' THEN 'booked'
    WHEN OLD.status = 'requested' AND NEW.status = 'confirmed' THEN 'accepted'
    WHEN OLD.status = 'requested' AND NEW.status = 'declined' THEN 'declined'
    WHEN OLD.status = 'requested' AND NEW.status = 'expired' THEN 'expired'
    WHEN OLD.status = 'requested' AND NEW.status = 'canceled' THEN 'withdrawn'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'canceled' THEN 'canceled'
  END;
BEGIN
  IF kind IS NOT NULL THEN
    PERFORM app.queue_booking_emails(NEW, kind, CASE
      WHEN kind IN ('declined', 'expired') THEN ARRAY['person']
      WHEN kind = 'withdrawn' THEN ARRAY['guru']
      ELSE ARRAY['person', 'guru'] END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_emails AFTER UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL
                       AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.add_booking_emails();
