-- Write the history of each booking: an entry for each new status, each move, and each proposal of another time and its
-- end. The app role cannot write the table, so no change is left out or invented. The function restores the tenant that
-- was set before.
--
-- Fires on: bookings. The transaction holds the lock of the calendar, so the numbers have no gap.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  entry text := CASE WHEN TG_OP = 'INSERT' THEN NEW.status ELSE app.booking_event(OLD, NEW) END;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
  SELECT NEW.tenant_id, NEW.id, count(*) + 1, NEW.person_id,
         CASE WHEN entry = 'proposal_expired' THEN 'system'
              WHEN NEW.ended_by <> '' AND (TG_OP = 'INSERT' OR OLD.ended_by <> NEW.ended_by) THEN NEW.ended_by
              WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru'
              WHEN TG_OP = 'INSERT' OR app.user_id() = NEW.person_id THEN 'person' ELSE 'system' END,
         entry,
         jsonb_strip_nulls(jsonb_build_object(
           'from', CASE WHEN entry = 'moved' THEN OLD.starts_at END,
           'to', CASE entry WHEN 'moved' THEN NEW.starts_at WHEN 'proposed' THEN NEW.proposed_start END,
           'reason', nullif(CASE WHEN entry = 'proposed' THEN NEW.proposed_reason ELSE NEW.reason END, ''),
           'owed_cents', nullif(NEW.owed_cents, 0)))
    FROM booking_events e WHERE e.tenant_id = NEW.tenant_id AND e.booking_id = NEW.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();
CREATE OR REPLACE TRIGGER add_booking_event_update AFTER UPDATE OF status, starts_at, proposed_start ON bookings
    FOR EACH ROW WHEN ((OLD.status, OLD.starts_at, OLD.proposed_start, OLD.proposals)
                       IS DISTINCT FROM (NEW.status, NEW.starts_at, NEW.proposed_start, NEW.proposals))
    EXECUTE FUNCTION app.add_booking_event();
