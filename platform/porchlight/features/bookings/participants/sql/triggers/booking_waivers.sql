-- Keep the waivers of open bookings up to date: when someone accepts a waiver or one ends, each participant for whom
-- that account or link signs gets the waiver that covers them (app.cover_booking). A booking from before participants
-- had their own waivers has none: it gets the waiver of its person that covers its level and is valid longest; only
-- another signed one replaces a signed one. Without one, `waiver_until` is in the past. A later text of the guru is for
-- new bookings, so it does not matter here. The function restores the tenant and the user that were set before.
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
  PERFORM app.cover_booking(b.id) FROM bookings b
    WHERE b.tenant_id = NEW.guru_id AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text
      AND EXISTS (SELECT FROM participants p WHERE p.tenant_id = NEW.guru_id AND p.signer_id = NEW.user_id
                                               AND p.booking_id = b.id);
  UPDATE bookings b SET (waiver_id, waiver_until) = (
    SELECT coalesce(best.id, b.waiver_id), coalesce(best.expires_at, least(b.waiver_until, app.now()))
      FROM (SELECT) one LEFT JOIN LATERAL (
        SELECT w.id, w.expires_at FROM waivers w
         WHERE w.user_id = NEW.user_id AND w.guru_id = NEW.guru_id AND w.ended_at IS NULL AND w.expires_at > app.now()
           AND split_part(w.exchange_id, '/', 2) = b.service_id::text
           AND array_position(levels, w.level) >= array_position(levels, b.waiver_level)
           AND (w.signed OR NOT EXISTS (SELECT FROM waivers used WHERE used.user_id = NEW.user_id
                                         AND used.id = b.waiver_id AND used.signed))
         ORDER BY w.expires_at DESC LIMIT 1) best ON true)
   WHERE b.tenant_id = NEW.guru_id AND b.person_id = NEW.user_id AND b.waiver_level <> ''
     AND b.status IN ('requested', 'confirmed') AND b.ends_at > app.now()
     AND split_part(NEW.exchange_id, '/', 2) = b.service_id::text
     AND NOT EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
  PERFORM set_config('app.tenant_id', previous_tenant, true), set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_booking_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
CREATE OR REPLACE TRIGGER update_booking_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_booking_waivers();
