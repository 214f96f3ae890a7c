-- Book a session for a customer without an account, who called the guru or came by, and return the outcome and the
-- booking's id. The guru's notice, horizon and hours don't limit it; the caller has warned about them. The exclusion
-- constraint still rejects a time at which the guru is busy. `person` is a new random id, which no account has, and
-- `token` is that of the customer's link. With `over_capacity`, a full session gets as many more seats.
--
-- `local_start` is the start by the clocks of the calendar's zone. Outcomes: booked (also for the same token again);
-- conflict (the token is of another request); slot_gone (no such service); slot_taken, session_full; waiting (others
-- wait for a seat of the session); limited (100 customers, or 10 sessions for one address, within a day, because each
-- sends an email).
--
-- Called by: bookings, for the guru who acts.
-- SECURITY DEFINER: the app role adds no bookings itself. The tenant is that of the guru's console.
CREATE OR REPLACE FUNCTION app.book_customer(
  new_id uuid, new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, local_start timestamp,
  seats integer, person uuid, token uuid, name text, other_names text[], email text, message text, address text,
  over_capacity boolean, request_digest bytea,
  OUT outcome text, OUT booking_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.acting_tenant_id();
  calendar calendars;
  settings booking_settings;
  earlier bookings;
  session appointments;
  wanted_end timestamptz;
BEGIN
  IF tenant IS NULL OR tenant IS DISTINCT FROM app.tenant_id() THEN
    outcome := 'slot_gone';
    RETURN;
  END IF;
  calendar := app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO earlier FROM bookings b WHERE b.tenant_id = tenant AND b.customer_token = token;
  IF earlier.id IS NOT NULL THEN
    outcome := CASE WHEN earlier.digest = request_digest THEN 'booked' ELSE 'conflict' END;
    booking_id := earlier.id;
    RETURN;
  END IF;
  IF (SELECT count(*) >= 100
             OR count(*) FILTER (WHERE book_customer.email <> '' AND b.customer_email = book_customer.email) >= 10
        FROM bookings b
       WHERE b.tenant_id = tenant AND b.customer_token IS NOT NULL AND b.created_at > app.now() - interval '1 day') THEN
    outcome := 'limited';
    RETURN;
  END IF;
  SELECT * INTO settings FROM booking_settings t WHERE t.tenant_id = tenant AND t.service_id = wanted_service;
  SELECT wanted_start + make_interval(mins => s.duration_minutes) INTO wanted_end
    FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR wanted_end IS NULL OR wanted_end <= app.now() THEN
    outcome := 'slot_gone';
    RETURN;
  END IF;
  SELECT * INTO session FROM appointments a
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = wanted_service AND a.starts_at = wanted_start;
  IF session.waiting > 0 THEN
    outcome := 'waiting';
    RETURN;
  ELSIF seats > coalesce(session.capacity - session.taken, settings.capacity) AND NOT over_capacity THEN
    outcome := 'session_full';
    RETURN;
  ELSIF session.id IS NULL THEN
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked, capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            book_customer.local_start,
            tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                      wanted_end + make_interval(mins => settings.cleanup_minutes)),
            greatest(settings.capacity, seats))
    RETURNING * INTO session;
  ELSE
    UPDATE appointments a SET capacity = greatest(a.capacity, a.taken + seats)
     WHERE a.tenant_id = tenant AND a.id = session.id;
  END IF;
  INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, party, participants, person_name,
                        note, person_address, customer_email, customer_token, guru_label, guru_name, service_name,
                        starts_at, ends_at, zone, price_cents, currency, approval, place, place_text, terms,
                        terms_digest, expires_at, idempotency_key, digest)
  SELECT tenant, new_id, session.id, wanted_service, person, 'held', seats, other_names, book_customer.name,
         message, book_customer.address, book_customer.email, token, g.label, g.character, s.name,
         session.starts_at, session.ends_at, calendar.zone, s.price_cents * seats, s.currency, 'instant',
         coalesce(session.place, settings.place), coalesce(session.place_text, settings.place_text),
         app.booking_terms(settings), sha256(app.booking_terms(settings)::text::bytea),
         app.now() + interval '1 minute', token::text, request_digest
    FROM services s JOIN gurus g ON g.id = s.tenant_id
   WHERE s.tenant_id = tenant AND s.id = wanted_service;
  -- In two steps, like every booking: the change numbers the session, writes the history and queues the emails.
  UPDATE bookings b SET status = 'confirmed', expires_at = NULL, confirmed_at = app.now()
   WHERE b.tenant_id = tenant AND b.id = new_id;
  outcome := 'booked';
  booking_id := new_id;
EXCEPTION WHEN exclusion_violation THEN
  outcome := 'slot_taken';
END $$;
REVOKE ALL ON FUNCTION app.book_customer(uuid, uuid, uuid, timestamptz, timestamp, integer, uuid, uuid, text, text[], text, text, text, boolean, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.book_customer(uuid, uuid, uuid, timestamptz, timestamp, integer, uuid, uuid, text, text[], text, text, text, boolean, bytea) TO porchlight_app;
