-- Write the first entry of each booking's history. The others are written with the change that they are about
-- (app.apply_bookings). The function restores the tenant that was set before.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
  VALUES (NEW.tenant_id, NEW.id, 1, NEW.person_id,
          CASE WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru' ELSE 'person' END, NEW.status);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();
