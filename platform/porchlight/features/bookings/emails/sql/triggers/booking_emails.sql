-- Queue the emails about each change of a booking, in the transaction of the change, so that no change is without them.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may not queue these emails itself.
CREATE OR REPLACE FUNCTION app.add_booking_emails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  event text := app.booking_event(OLD, NEW);
  kind text := CASE
    WHEN event = 'moved' AND OLD.proposed_start = NEW.starts_at AND NEW.moves = OLD.moves THEN 'move_accepted'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'confirmed' THEN event
    WHEN event = 'canceled' AND NEW.ended_by = 'person' AND OLD.proposed_until > app.now() THEN 'move_declined'
    WHEN OLD.status = 'held' AND NEW.status = 'requested' THEN 'requested'
    WHEN OLD.status = 'held' AND NEW.status = 'confirmed' THEN 'booked'
    WHEN OLD.status = 'requested' AND NEW.status = 'confirmed' THEN 'accepted'
    WHEN OLD.status = 'requested' AND NEW.status = 'declined' THEN 'declined'
    WHEN OLD.status = 'requested' AND NEW.status = 'expired' THEN 'expired'
    WHEN OLD.status = 'requested' AND NEW.status = 'canceled' THEN 'withdrawn'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'canceled' THEN 'canceled'
  END;
BEGIN
  IF kind LIKE 'propos%' THEN
    NEW.sequence := NEW.proposals;  -- in the key of the email: a proposal does not change the session
  END IF;
  IF kind IS NOT NULL THEN
    PERFORM app.queue_booking_emails(NEW, kind, CASE
      WHEN kind IN ('declined', 'expired', 'proposed', 'proposal_withdrawn') THEN ARRAY['person']
      WHEN kind IN ('withdrawn', 'proposal_expired', 'proposal_lapsed') THEN ARRAY['guru']
      ELSE ARRAY['person', 'guru'] END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_emails AFTER UPDATE OF status, starts_at, proposed_start ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL
                       AND (OLD.status, OLD.starts_at, OLD.proposed_start, OLD.proposals)
                       IS DISTINCT FROM (NEW.status, NEW.starts_at, NEW.proposed_start, NEW.proposals))
    EXECUTE FUNCTION app.add_booking_emails();
