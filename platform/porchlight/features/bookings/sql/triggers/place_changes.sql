-- Write a new place of a booked session into the booking's history, and queue the emails about it to both sides, in the
-- transaction of the change. A move to another place already has an entry and emails. A request needs none: the email
-- about its answer names the place. A corrected address of the person raises the booking's sequence; one that is given
-- with a new booking, or erased with an account, does not and is no news. The function restores the tenant that was set
-- before.
--
-- Fires on: bookings. The transaction holds the lock of the calendar, so the numbers have no gap.
-- SECURITY DEFINER: the app role may neither write the history nor queue these emails.
CREATE OR REPLACE FUNCTION app.add_place_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
  SELECT NEW.tenant_id, NEW.id, count(*) + 1, NEW.person_id,
         CASE WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru'
              WHEN app.user_id() = NEW.person_id THEN 'person' ELSE 'system' END,
         'place_changed'
    FROM booking_events e WHERE e.tenant_id = NEW.tenant_id AND e.booking_id = NEW.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  PERFORM app.queue_booking_emails(NEW,
    CASE WHEN (OLD.place, OLD.place_text) IS DISTINCT FROM (NEW.place, NEW.place_text) THEN 'place_changed'
         ELSE 'address_changed' END, ARRAY['person', 'guru']);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_place_change AFTER UPDATE OF place, place_text, person_address ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL AND OLD.status = 'confirmed' AND NEW.status = 'confirmed'
                       AND OLD.starts_at = NEW.starts_at
                       AND ((OLD.place, OLD.place_text) IS DISTINCT FROM (NEW.place, NEW.place_text)
                            OR OLD.person_address <> NEW.person_address AND NEW.sequence > OLD.sequence))
    EXECUTE FUNCTION app.add_place_change();
