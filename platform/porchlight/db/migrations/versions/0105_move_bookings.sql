-- move bookings

-- file: functions/create_hold.sql
-- Create a hold of seats of an appointment, with copies of the service's name, price, place and terms. `person` is null
-- for a visitor. Returns false if the person has a hold, a request or a booking there, or if the service is closed. The
-- caller holds the lock of the calendar and has found the seats to be free.
--
-- Called by: app.hold_seat.
CREATE OR REPLACE FUNCTION app.create_hold(
  new_id uuid, held_appointment uuid, person uuid, seats integer, token_hash bytea, address bytea,
  held_until timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, hold_hash, address_hash, status, party,
                        guru_label, guru_name, service_name, starts_at, ends_at, zone, price_cents, currency,
                        approval, place, place_text, terms, terms_digest, expires_at)
  SELECT a.tenant_id, new_id, a.id, a.service_id, person, token_hash, address, 'held', seats,
         g.label, g.character, s.name, a.starts_at, a.ends_at, c.zone, s.price_cents * seats, s.currency,
         t.approval, t.place, t.place_text, app.booking_terms(t), sha256(app.booking_terms(t)::text::bytea), held_until
    FROM appointments a
    JOIN calendars c ON c.tenant_id = a.tenant_id
    JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
    JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
    JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
   WHERE a.tenant_id = app.tenant_id() AND a.id = held_appointment;
  RETURN FOUND;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $$;

-- file: functions/get_or_create_appointment.sql
-- Return the live session of a service at a start with `seats` free seats; create it if the guru is free then. The
-- exclusion constraint and the counter of seats decide. The caller holds the lock of the calendar.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- found; stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full.
--
-- Called by: app.hold_seat and app.move_booking.
CREATE OR REPLACE FUNCTION app.get_or_create_appointment(
  new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, expected_rules bigint,
  OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  calendar calendars;
  settings booking_settings;
  minutes integer;
  wanted_end timestamptz;
  appointment appointments;
BEGIN
  SELECT * INTO calendar FROM calendars c WHERE c.tenant_id = tenant;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT s.duration_minutes INTO minutes FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR minutes IS NULL OR wanted_start <= now() THEN
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
    IF appointment.taken + seats > appointment.capacity
       OR EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = appointment.id
                                           AND w.status = 'waiting') THEN
      outcome := 'session_full';
    END IF;
  ELSIF settings.starts = 'fixed' THEN
    outcome := 'slot_gone';
  ELSIF seats > settings.capacity THEN
    outcome := 'session_full';
  ELSIF calendar.day_max <= (
      SELECT count(*) FROM appointments a
       WHERE a.tenant_id = tenant AND a.live AND a.kind = 'session'
         AND a.starts_at >= date_trunc('day', wanted_start, calendar.zone)
         AND a.starts_at < (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day')
                           AT TIME ZONE calendar.zone) THEN
    outcome := 'slot_taken';
  ELSE
    wanted_end := wanted_start + make_interval(mins => minutes);
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                      wanted_end + make_interval(mins => settings.cleanup_minutes)), settings.capacity);
    outcome := 'found';
    appointment_id := new_appointment_id;
  END IF;
EXCEPTION WHEN exclusion_violation THEN
  outcome := 'slot_taken';
END $$;

-- file: functions/hold_seat.sql
-- Keep `seats` seats of a service at a start for ten minutes, for the current user or for a visitor, and return the
-- outcome. One transaction with the lock of the calendar; the exclusion constraint and the counter of seats decide.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- held (also for the same token again); stale (compute again: the rules changed, or holds expired); slot_gone,
-- slot_taken, session_full, already_booked, party_too_large; limited (too many holds of this address, of this user or of
-- visitors on this day).
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
  day_start timestamptz;
  day_end timestamptz;
  appointment uuid;
BEGIN
  calendar := app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT 'held', b.expires_at INTO outcome, held_until FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held';
  IF outcome = 'held' THEN  -- the same request, sent again
    RETURN;
  END IF;
  day_start := date_trunc('day', wanted_start AT TIME ZONE calendar.zone) AT TIME ZONE calendar.zone;
  day_end := (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day') AT TIME ZONE calendar.zone;
  IF calendar.rules_version = expected_rules AND (CASE WHEN person IS NULL THEN
       (SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3 FROM bookings b
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > now() - interval '1 hour')
       OR (SELECT count(*) >= max_of_visitors FROM bookings b
            WHERE b.tenant_id = tenant AND b.person_id IS NULL AND b.status = 'held'
              AND b.starts_at >= day_start AND b.starts_at < day_end)
     ELSE
       (SELECT count(*) FILTER (WHERE b.status = 'held') >= 2 OR count(*) FILTER (WHERE b.status = 'requested') >= 3
          FROM bookings b WHERE b.person_id = person AND b.tenant_id = tenant AND b.expires_at IS NOT NULL)
     END) THEN
    outcome := 'limited';
    RETURN;
  END IF;
  IF seats > (SELECT s.party_max FROM booking_settings s
               WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open) THEN
    outcome := 'party_too_large';
    RETURN;
  END IF;
  SELECT f.outcome, f.appointment_id INTO outcome, appointment
    FROM app.get_or_create_appointment(new_appointment_id, wanted_service, wanted_start, seats, expected_rules) f;
  IF outcome <> 'found' THEN
    RETURN;
  END IF;
  held_until := now() + interval '10 minutes';
  outcome := CASE WHEN app.create_hold(new_id, appointment, person, seats, token_hash, address, held_until)
                  THEN 'held' ELSE 'already_booked' END;
END $$;
REVOKE ALL ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer)
    TO porchlight_app;

-- file: functions/move_booking.sql
-- Move a confirmed booking of the current user, or of the guru who acts, to another start of its service, and return the
-- outcome. Price and terms stay. The old seats become free only with the new ones. A session without other bookings
-- does not block the time that its booking moves to, so it ends first. With `is_counted`, it is one of the moves that
-- the terms allow.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- Outcomes: moved; booking_changed; already_booked; those of app.get_or_create_appointment.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.move_booking(
  moved_id uuid, new_appointment_id uuid, wanted_start timestamptz, expected_rules bigint, is_counted boolean,
  OUT outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  booking bookings;
  appointment uuid;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO booking FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = moved_id AND b.status = 'confirmed' AND b.starts_at > now()
     AND (b.person_id = app.user_id() OR b.tenant_id = app.acting_tenant_id());
  IF booking.id IS NULL THEN
    outcome := 'booking_changed';
    RETURN;
  END IF;
  BEGIN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = booking.appointment_id AND a.taken = booking.party AND NOT a.fixed
       AND NOT EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = a.id
                                                AND w.status = 'waiting');
    SELECT f.outcome, f.appointment_id INTO outcome, appointment
      FROM app.get_or_create_appointment(
        new_appointment_id, booking.service_id, wanted_start, booking.party, expected_rules) f;
    IF outcome <> 'found' THEN
      RAISE EXCEPTION 'the booking stays at its time';  -- undo the end of its session
    END IF;
    UPDATE bookings b
       SET appointment_id = a.id, starts_at = a.starts_at, ends_at = a.ends_at, sequence = b.sequence + 1,
           moves = b.moves + is_counted::integer, proposed_start = NULL
      FROM appointments a
     WHERE b.tenant_id = tenant AND b.id = moved_id AND a.tenant_id = tenant AND a.id = appointment;
    outcome := 'moved';
  EXCEPTION
    WHEN raise_exception THEN
      NULL;
    WHEN unique_violation THEN
      outcome := 'already_booked';
  END;
END $$;
REVOKE ALL ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) TO porchlight_app;
