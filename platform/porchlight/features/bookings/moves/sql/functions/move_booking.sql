-- Move a confirmed booking of the current user, or of the guru who acts, to another start of its service, and return
-- the outcome. Price and terms stay. The old seats become free only with the new ones. A session without other bookings
-- does not block the time that its booking moves to, so it ends first. With `is_counted`, it is one of the moves that
-- the terms allow.
--
-- `local_start` is the start by the clocks of the calendar's zone. `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- Outcomes: moved; booking_changed; already_booked; those of app.get_or_create_appointment.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.move_booking(
  moved_id uuid, new_appointment_id uuid, wanted_start timestamptz, expected_rules bigint, is_counted boolean,
  local_start timestamp DEFAULT NULL,
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
   WHERE b.tenant_id = tenant AND b.id = moved_id AND b.status = 'confirmed' AND b.starts_at > app.now()
     AND (b.person_id = app.user_id() OR b.tenant_id = app.acting_tenant_id());
  IF booking.id IS NULL THEN
    outcome := 'booking_changed';
    RETURN;
  END IF;
  BEGIN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = booking.appointment_id AND a.taken = booking.party AND NOT a.fixed
       AND a.waiting = 0;
    SELECT f.outcome, f.appointment_id INTO outcome, appointment
      FROM app.get_or_create_appointment(
        new_appointment_id, booking.service_id, wanted_start, booking.party, expected_rules, local_start) f;
    IF outcome <> 'found' THEN
      RAISE EXCEPTION 'the booking stays at its time';  -- undo the end of its session
    END IF;
    UPDATE bookings b
       SET appointment_id = a.id, starts_at = a.starts_at, ends_at = a.ends_at, sequence = b.sequence + 1,
           moves = b.moves + is_counted::integer
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
REVOKE ALL ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean, timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean, timestamp) TO porchlight_app;
