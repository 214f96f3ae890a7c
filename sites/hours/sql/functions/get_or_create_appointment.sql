-- Return the live session of a service at a start with `seats` free seats; create it if the guru is free then. The
-- exclusion constraint and the counter of seats decide. The caller holds the lock of the calendar.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- `local_start` is the start by the clocks of the calendar's zone: the caller knows its rules, PostgreSQL's may be others.
-- Outcomes: found; stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full.
--
-- Called by: app.hold_seat and app.move_booking.
CREATE OR REPLACE FUNCTION app.get_or_create_appointment(
  new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, expected_rules bigint,
  local_start timestamp DEFAULT NULL,
  OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  calendar calendars;
  settings booking_settings;
  minutes integer;
  wanted_end timestamptz;
  appointment appointments;
  to_local interval := coalesce(local_start - (wanted_start AT TIME ZONE 'UTC'), interval '0');
BEGIN
  SELECT * INTO calendar FROM calendars c WHERE c.tenant_id = tenant;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT s.duration_minutes INTO minutes FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service AND NOT s.over_limit;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR minutes IS NULL OR wanted_start <= app.now() THEN
    outcome := 'slot_gone';
    RETURN;
  ELSIF calendar.rules_version <> expected_rules THEN
    outcome := 'stale';
    RETURN;
  END IF;
  SELECT * INTO appointment FROM appointments a
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = wanted_service AND a.starts_at = wanted_start;
  IF appointment.id IS NOT NULL THEN
    outcome := 'found';
    appointment_id := appointment.id;
    IF appointment.taken + seats > appointment.capacity OR appointment.waiting > 0 THEN
      outcome := 'session_full';
    END IF;
  ELSIF settings.starts = 'fixed' THEN
    outcome := 'slot_gone';
  ELSIF seats > settings.capacity THEN
    outcome := 'session_full';
  ELSIF calendar.day_max <= (
      SELECT count(*) FROM appointments a
       WHERE a.tenant_id = tenant AND a.live AND a.kind = 'session'
         AND a.starts_at > wanted_start - interval '26 hours' AND a.starts_at < wanted_start + interval '26 hours'
         AND coalesce(CASE WHEN a.zone = calendar.zone THEN a.local_start END,
                      (a.starts_at AT TIME ZONE 'UTC') + to_local)::date
             = ((wanted_start AT TIME ZONE 'UTC') + to_local)::date) THEN
    outcome := 'slot_taken';
  ELSE
    wanted_end := wanted_start + make_interval(mins => minutes);
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked,
                              capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            get_or_create_appointment.local_start,
            tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                      wanted_end + make_interval(mins => settings.cleanup_minutes)), settings.capacity);
    outcome := 'found';
    appointment_id := new_appointment_id;
  END IF;
EXCEPTION WHEN exclusion_violation THEN
  outcome := 'slot_taken';
END $$;
