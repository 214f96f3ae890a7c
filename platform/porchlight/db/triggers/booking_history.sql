-- Write the history of each booking: an entry for each new status and each move. The app role cannot write the table, so
-- no change is left out or invented. The function restores the tenant that was set before.
--
-- Fires on: bookings. The transaction holds the lock of the calendar, so the numbers have no gap.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  is_move boolean := TG_OP = 'UPDATE' AND NEW.starts_at IS DISTINCT FROM OLD.starts_at;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
  SELECT NEW.tenant_id, NEW.id, count(*) + 1, NEW.person_id,
         CASE WHEN NEW.ended_by <> '' AND (TG_OP = 'INSERT' OR OLD.ended_by <> NEW.ended_by) THEN NEW.ended_by
              WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru'
              WHEN TG_OP = 'INSERT' OR app.user_id() = NEW.person_id THEN 'person' ELSE 'system' END,
         CASE WHEN is_move THEN 'moved' ELSE NEW.status END,
         jsonb_strip_nulls(jsonb_build_object(
           'from', CASE WHEN is_move THEN OLD.starts_at END, 'to', CASE WHEN is_move THEN NEW.starts_at END,
           'reason', nullif(NEW.reason, ''), 'owed_cents', nullif(NEW.owed_cents, 0)))
    FROM booking_events e WHERE e.tenant_id = NEW.tenant_id AND e.booking_id = NEW.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();
CREATE OR REPLACE TRIGGER add_booking_event_update AFTER UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN ((OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.add_booking_event();
