-- emergency contacts

-- file: functions/emergency_contact.sql
-- Return the emergency contact of a session's person for the guru, and log the view in contact_views. The outcome is
-- found, none (the waiver has no contact, or it was erased), closed (not from 24 hours before the session to 24 hours
-- after it) or unknown. The function restores the user that was set before.
--
-- Called by: waivers, in a unit of work that acts for the guru.
-- SECURITY DEFINER: waivers are isolated by user. The tenant is the one that the transaction acts for.
CREATE OR REPLACE FUNCTION app.emergency_contact(wanted uuid, OUT outcome text, OUT contact jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  viewer uuid := app.user_id();
  booked bookings;
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.acting_tenant_id() AND b.id = wanted AND b.status NOT IN ('held', 'expired');
  IF booked.id IS NULL OR viewer IS NULL THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  IF booked.status NOT IN ('confirmed', 'missed', 'completed')
     OR now() NOT BETWEEN booked.starts_at - interval '24 hours' AND booked.ends_at + interval '24 hours' THEN
    outcome := 'closed';
    RETURN;
  END IF;
  PERFORM set_config('app.user_id', booked.person_id::text, true);
  contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
               WHERE w.user_id = booked.person_id AND w.id = booked.waiver_id);
  PERFORM set_config('app.user_id', viewer::text, true);
  outcome := CASE WHEN contact IS NULL THEN 'none' ELSE 'found' END;
  IF contact IS NOT NULL THEN
    INSERT INTO contact_views (tenant_id, id, booking_id, person_id, viewed_by)
    VALUES (booked.tenant_id, gen_random_uuid(), booked.id, booked.person_id, viewer);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.emergency_contact(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.emergency_contact(uuid) TO porchlight_app;

-- file: triggers/booking_waivers.sql
-- Keep the waiver of each open booking up to date: when its person accepts a waiver or one ends, the booking gets the
-- waiver that covers its level and is valid longest. Without one, `waiver_until` is in the past. The function restores
-- the tenant and the user that were set before.
--
-- Fires on: waivers. Locks the calendar, so that a booking that is made meanwhile sees the change or is changed.
-- SECURITY DEFINER: neither party may write these columns.
CREATE OR REPLACE FUNCTION app.update_booking_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.guru_id::text, true), set_config('app.user_id', NEW.user_id::text, true);
  PERFORM app.lock_calendar();
  UPDATE bookings b SET (waiver_id, waiver_until) = (
    SELECT coalesce(best.id, b.waiver_id), coalesce(best.expires_at, least(b.waiver_until, now()))
      FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT w.id, w.expires_at FROM waivers w
         WHERE w.user_id = NEW.user_id AND w.guru_id = NEW.guru_id AND w.ended_at IS NULL AND w.expires_at > now()
           AND split_part(w.exchange_id, '/', 2) = b.service_id::text
           AND array_position(levels, w.level) >= array_position(levels, b.waiver_level)
         ORDER BY w.expires_at DESC LIMIT 1) best ON true)
   WHERE b.tenant_id = NEW.guru_id AND b.person_id = NEW.user_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > now()
     AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text;
  PERFORM set_config('app.tenant_id', previous_tenant, true), set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_booking_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
CREATE OR REPLACE TRIGGER update_booking_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_booking_waivers();
