-- Create a hold of seats of an appointment, with copies of the service's name, price, place and terms. `person` is null
-- for a visitor, `address` for an offer of the waitlist. Returns false if the person has a hold, a request or a booking
-- there, or if the service is closed. If the guru changed the place of the session, the hold has that place instead of
-- the service's. The caller holds the lock of the calendar and has found the seats to be free.
--
-- Called by: app.hold_seat and app.offer_seats.
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
         t.approval, coalesce(a.place, t.place), coalesce(a.place_text, t.place_text), app.booking_terms(t), sha256(app.booking_terms(t)::text::bytea), held_until
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
