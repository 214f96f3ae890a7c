-- session places

-- file: functions/create_hold.sql
-- Create a hold of seats of an appointment, with copies of the service's name, price, place and terms. `person` is null
-- for a visitor, `address` for an offer of the waitlist. Returns false if the person has a hold, a request or a booking
-- there, or if the service is closed. A session whose place the guru changed has that one instead of the service's. The caller holds the lock of the calendar and has found the seats to be free.
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

-- file: functions/erase_bookings.sql
-- End what the current user has open with the transaction's guru, and erase the user's personal data from their
-- bookings there. A late cancellation is owed as by the terms, unless the guru asked to move the session. Bookings
-- stay, without names and texts, as the guru's records.
--
-- Called by: the trigger on_user_deleted_bookings, for each guru.
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
CREATE OR REPLACE FUNCTION app.erase_bookings() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b
     SET status = CASE b.status WHEN 'held' THEN 'expired' ELSE 'canceled' END, expires_at = NULL, ended_by = 'person',
         ended_at = app.now(), sequence = b.sequence + 1,
         owed_cents = CASE
           WHEN b.status = 'confirmed'
                AND app.now() >= b.starts_at - make_interval(mins => (b.terms ->> 'free_until_minutes')::integer)
                AND coalesce(b.proposed_until <= app.now(), true)
           THEN ceil(b.price_cents * (b.terms ->> 'late_percent')::numeric / 100) ELSE 0 END
   WHERE b.tenant_id = tenant AND b.person_id = person
     AND (b.status IN ('held', 'requested') OR b.status = 'confirmed' AND b.starts_at > app.now());
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', person_address = '', address_hash = NULL,
         reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: triggers/booking_places.sql
-- Keep the place of a booking true: one that moves gets the place of its new session if the guru changed that, and the
-- service's if its own session, one of a class, had another place than usual. An address of the person is kept only for
-- a session at their place, and only while that may take place.
--
-- Fires on: bookings.
CREATE OR REPLACE FUNCTION app.keep_place() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.appointment_id <> OLD.appointment_id THEN
    SELECT coalesce(a.place, CASE WHEN b.fixed AND b.place IS NOT NULL THEN t.place END, NEW.place),
           coalesce(a.place_text, CASE WHEN b.fixed AND b.place IS NOT NULL THEN t.place_text END, NEW.place_text)
      INTO NEW.place, NEW.place_text
      FROM appointments a
      JOIN appointments b ON b.tenant_id = a.tenant_id AND b.id = OLD.appointment_id
      LEFT JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  IF NEW.place <> 'person' OR NEW.status IN ('declined', 'canceled', 'expired') THEN
    NEW.person_address := '';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_place BEFORE UPDATE OF appointment_id, place, person_address, status ON bookings
    FOR EACH ROW WHEN ((OLD.appointment_id, OLD.place, OLD.person_address, OLD.status)
                       IS DISTINCT FROM (NEW.appointment_id, NEW.place, NEW.person_address, NEW.status))
    EXECUTE FUNCTION app.keep_place();

-- file: triggers/place_changes.sql
-- Write a new place of a booked session into the booking's history, and queue the emails about it to both sides, in the
-- transaction of the change. A move with another place has its own entry and emails, and a request has none: the email
-- about its answer names the place. The function restores the tenant that was set before.
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
  PERFORM app.queue_booking_emails(NEW, 'place_changed', ARRAY['person', 'guru']);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_place_change AFTER UPDATE OF place, place_text, person_address ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL AND OLD.status = 'confirmed' AND NEW.status = 'confirmed'
                       AND NEW.confirmed_at < app.now()  -- the address of a new booking is no change
                       AND OLD.starts_at = NEW.starts_at
                       AND (OLD.place, OLD.place_text, OLD.person_address)
                           IS DISTINCT FROM (NEW.place, NEW.place_text, NEW.person_address))
    EXECUTE FUNCTION app.add_place_change();
