-- End the guru's proposal of another time with each change of the booking's status or start: it was about that session.
--
-- Fires on: bookings, before the triggers that write the history and queue the emails.
CREATE OR REPLACE FUNCTION app.end_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.proposed_start := NULL;
  NEW.proposed_until := NULL;
  NEW.proposed_reason := '';
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER end_proposal BEFORE UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN (OLD.proposed_start IS NOT NULL
                       AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.end_proposal();
