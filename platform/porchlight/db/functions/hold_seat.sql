-- Keep `seats` seats of a service at a start for ten minutes, for the current user or for a visitor, and return the
-- outcome. One transaction with the lock of the calendar; the exclusion constraint and the counter of seats decide.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- held (also for the same token again); stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full, already_booked, party_too_large; limited (too
-- many holds of this address, of this user or of visitors on this day).
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_seat(
  new_id uuid, new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, token_hash bytea,
  address bytea, expected_rules bigint, max_of_visitors integer,
  OUT outcome text, OUT held_until timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  calendar calendars;
  settings booking_settings;
  service services;
  guru gurus;
  appointment appointments;
  wanted_end timestamptz;
  day_start timestamptz;
  day_end timestamptz;
BEGIN
  calendar := app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT 'held', b.expires_at INTO outcome, held_until FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held';
  IF outcome = 'held' THEN  -- the same request, sent again
    RETURN;
  END IF;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT * INTO service FROM services s WHERE s.tenant_id = tenant AND s.id = wanted_service;
  SELECT * INTO guru FROM gurus g WHERE g.id = tenant AND g.status = 'active';
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR service.duration_minutes IS NULL OR guru.id IS NULL
     OR wanted_start <= now() THEN
    outcome := 'slot_gone';
    RETURN;
  ELSIF calendar.rules_version <> expected_rules THEN
    outcome := 'stale';
    RETURN;
  ELSIF seats NOT BETWEEN 1 AND settings.party_max THEN
    outcome := 'party_too_large';
    RETURN;
  END IF;
  wanted_end := wanted_start + make_interval(mins => service.duration_minutes);
  day_start := date_trunc('day', wanted_start AT TIME ZONE calendar.zone) AT TIME ZONE calendar.zone;
  day_end := (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day') AT TIME ZONE calendar.zone;
  IF person IS NULL AND (
       (SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3 FROM bookings b
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > now() - interval '1 hour')
       OR (SELECT count(*) >= max_of_visitors FROM bookings b
            WHERE b.tenant_id = tenant AND b.person_id IS NULL AND b.status = 'held'
              AND b.starts_at >= day_start AND b.starts_at < day_end))
     OR person IS NOT NULL AND (
       SELECT count(*) FILTER (WHERE b.status = 'held') >= 2 OR count(*) FILTER (WHERE b.status = 'requested') >= 3
         FROM bookings b WHERE b.person_id = person AND b.tenant_id = tenant AND b.expires_at IS NOT NULL) THEN
    outcome := 'limited';
    RETURN;
  END IF;
  SELECT * INTO appointment FROM appointments a
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = wanted_service AND a.starts_at = wanted_start;
  IF appointment.id IS NULL THEN
    IF settings.starts = 'fixed' THEN
      outcome := 'slot_gone';
      RETURN;
    ELSIF calendar.day_max <= (SELECT count(*) FROM appointments a
                                WHERE a.tenant_id = tenant AND a.live AND a.kind = 'session'
                                  AND a.starts_at >= day_start AND a.starts_at < day_end) THEN
      outcome := 'slot_taken';
      RETURN;
    END IF;
    BEGIN
      INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)
      VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
              tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                        wanted_end + make_interval(mins => settings.cleanup_minutes)), settings.capacity)
      RETURNING * INTO appointment;
    EXCEPTION WHEN exclusion_violation THEN
      outcome := 'slot_taken';
      RETURN;
    END;
  ELSIF appointment.taken + seats > appointment.capacity
        OR EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = appointment.id
                                            AND w.status = 'waiting') THEN
    outcome := 'session_full';
    RETURN;
  END IF;
  held_until := now() + interval '10 minutes';
  BEGIN
    INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, hold_hash, address_hash, status, party,
                          guru_label, guru_name, service_name, starts_at, ends_at, zone, price_cents, currency,
                          approval, place, place_text, terms, terms_digest, expires_at)
    VALUES (tenant, new_id, appointment.id, wanted_service, person, token_hash, address, 'held', seats,
            guru.label, guru.character, service.name, appointment.starts_at, appointment.ends_at, calendar.zone,
            service.price_cents * seats, service.currency, settings.approval, settings.place, settings.place_text,
            app.booking_terms(settings), sha256(app.booking_terms(settings)::text::bytea), held_until);
  EXCEPTION WHEN unique_violation THEN
    outcome := 'already_booked';
    RETURN;
  END;
  outcome := 'held';
END $$;
REVOKE ALL ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer)
    TO porchlight_app;
