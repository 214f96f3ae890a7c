-- Add the current user to the waitlist of a full session, and return the outcome. Someone who waits already keeps their
-- place. Outcomes: joined; session_has_spots, slot_gone, slot_taken (a session for one party), party_too_large,
-- already_booked; waitlist_full; limited (the user waits for 20 sessions). Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may only read the waitlist. The tenant and the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.join_waitlist(
  wanted_service uuid, wanted_start timestamptz, seats integer, OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  settings booking_settings;
  session appointments;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO settings FROM booking_settings t WHERE t.tenant_id = tenant AND t.service_id = wanted_service AND t.open;
  SELECT a.* INTO session FROM appointments a JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = settings.service_id AND a.starts_at = wanted_start
     AND a.starts_at > app.now() + interval '15 minutes';
  appointment_id := session.id;
  IF person IS NULL OR session.id IS NULL THEN
    outcome := 'slot_gone';
  ELSIF EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = session.id
                                         AND w.person_id = person AND w.status IN ('waiting', 'offered')) THEN
    outcome := 'joined';
  ELSIF EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.appointment_id = session.id
                                         AND b.person_id = person AND b.status IN ('held', 'requested', 'confirmed')) THEN
    outcome := 'already_booked';
  ELSIF session.capacity = 1 THEN
    outcome := 'slot_taken';
  ELSIF seats > least(settings.party_max, session.capacity) THEN
    outcome := 'party_too_large';
  ELSIF session.waiting = 0 AND session.taken + seats <= session.capacity THEN
    outcome := 'session_has_spots';
  ELSIF session.waiting >= 100 THEN
    outcome := 'waitlist_full';
  ELSIF (SELECT count(*) >= 20 FROM waitlist w
          WHERE w.person_id = person AND w.status IN ('waiting', 'offered') AND w.starts_at > app.now()) THEN
    outcome := 'limited';
  ELSE
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, party, guru_label, guru_name, service_id,
                          service_name, starts_at, ends_at, zone)
    SELECT tenant, session.id,
           (SELECT coalesce(max(w.number), 0) + 1 FROM waitlist w
             WHERE w.tenant_id = tenant AND w.appointment_id = session.id),
           person, seats, g.label, g.character, s.id, s.name, session.starts_at, session.ends_at, c.zone
      FROM gurus g JOIN services s ON s.tenant_id = g.id AND s.id = wanted_service
      JOIN calendars c ON c.tenant_id = g.id
     WHERE g.id = tenant;
    -- A seat may be free that is too little for those before.
    PERFORM app.offer_seats(session.id);
    outcome := 'joined';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.join_waitlist(uuid, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.join_waitlist(uuid, timestamptz, integer) TO porchlight_app;
