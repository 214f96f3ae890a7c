-- move proposals

-- file: functions/booking_event.sql
-- Return what a change of a booking is called in its history: the new status, or what happened to its time. A proposal
-- of the guru that ends without a change of the session expired, was withdrawn by the guru, or lapsed: the person
-- accepted it, but the time was taken.
--
-- Called by: the triggers that write the history of bookings and queue their emails.
CREATE OR REPLACE FUNCTION app.booking_event(before bookings, changed bookings) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp
RETURN CASE
  WHEN changed.status IS DISTINCT FROM before.status THEN changed.status
  WHEN changed.starts_at IS DISTINCT FROM before.starts_at THEN 'moved'
  WHEN changed.proposals > before.proposals THEN 'proposed'
  WHEN before.proposed_until <= now() THEN 'proposal_expired'
  WHEN app.acting_tenant_id() = changed.tenant_id THEN 'proposal_withdrawn'
  ELSE 'proposal_lapsed' END;

-- file: functions/erase_bookings.sql
-- End what the current user has open with the transaction's guru, and erase the user's personal data from their bookings
-- there. A late cancellation is owed as by the terms, unless the guru asked to move the session. Bookings stay, without
-- names and texts, as the guru's records.
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
         ended_at = now(), sequence = b.sequence + 1,
         owed_cents = CASE
           WHEN b.status = 'confirmed'
                AND now() >= b.starts_at - make_interval(mins => (b.terms ->> 'free_until_minutes')::integer)
                AND coalesce(b.proposed_until <= now(), true)
           THEN ceil(b.price_cents * (b.terms ->> 'late_percent')::numeric / 100) ELSE 0 END
   WHERE b.tenant_id = tenant AND b.person_id = person
     AND (b.status IN ('held', 'requested') OR b.status = 'confirmed' AND b.starts_at > now());
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', address_hash = NULL,
         reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: functions/expire_bookings.sql
-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their seats become
-- free, or are offered to those who wait. Proposals without an answer end too, and their sessions stay as they are. The caller holds the lock of the calendar. A constraint cannot do this,
-- because time passes without a statement.
--
-- Called by: app.hold_seat, app.move_booking, app.join_waitlist, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'system'
   WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= now();
  GET DIAGNOSTICS ended = ROW_COUNT;
  UPDATE bookings b SET proposed_start = NULL, proposed_until = NULL, proposed_reason = ''
   WHERE b.tenant_id = app.tenant_id() AND b.proposed_until <= now();
  -- Seats that became free while the site was suspended have not been offered.
  PERFORM app.offer_seats(a.id) FROM appointments a
   WHERE a.tenant_id = app.tenant_id() AND a.live AND a.waiting > 0 AND a.taken < a.capacity;
  RETURN ended;
END $$;

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
       AND a.waiting = 0;
    SELECT f.outcome, f.appointment_id INTO outcome, appointment
      FROM app.get_or_create_appointment(
        new_appointment_id, booking.service_id, wanted_start, booking.party, expected_rules) f;
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
REVOKE ALL ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.move_booking(uuid, uuid, timestamptz, bigint, boolean) TO porchlight_app;

-- file: triggers/booking_emails.sql
-- Queue the emails about each change of a booking, in the transaction of the change, so that no change is without them.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may not queue these emails itself.
CREATE OR REPLACE FUNCTION app.add_booking_emails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  event text := app.booking_event(OLD, NEW);
  kind text := CASE
    WHEN event = 'moved' AND OLD.proposed_start = NEW.starts_at AND NEW.moves = OLD.moves THEN 'move_accepted'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'confirmed' THEN event
    WHEN event = 'canceled' AND NEW.ended_by = 'person' AND OLD.proposed_until > now() THEN 'move_declined'
    WHEN OLD.status = 'held' AND NEW.status = 'requested' THEN 'requested'
    WHEN OLD.status = 'held' AND NEW.status = 'confirmed' THEN 'booked'
    WHEN OLD.status = 'requested' AND NEW.status = 'confirmed' THEN 'accepted'
    WHEN OLD.status = 'requested' AND NEW.status = 'declined' THEN 'declined'
    WHEN OLD.status = 'requested' AND NEW.status = 'expired' THEN 'expired'
    WHEN OLD.status = 'requested' AND NEW.status = 'canceled' THEN 'withdrawn'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'canceled' THEN 'canceled'
  END;
BEGIN
  IF kind LIKE 'propos%' THEN
    NEW.sequence := NEW.proposals;  -- in the key of the email: a proposal does not change the session
  END IF;
  IF kind IS NOT NULL THEN
    PERFORM app.queue_booking_emails(NEW, kind, CASE
      WHEN kind IN ('declined', 'expired', 'proposed', 'proposal_withdrawn') THEN ARRAY['person']
      WHEN kind IN ('withdrawn', 'proposal_expired', 'proposal_lapsed') THEN ARRAY['guru']
      ELSE ARRAY['person', 'guru'] END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_emails AFTER UPDATE OF status, starts_at, proposed_start ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL
                       AND (OLD.status, OLD.starts_at, OLD.proposed_start, OLD.proposals)
                       IS DISTINCT FROM (NEW.status, NEW.starts_at, NEW.proposed_start, NEW.proposals))
    EXECUTE FUNCTION app.add_booking_emails();

-- file: triggers/booking_history.sql
-- Write the history of each booking: an entry for each new status, each move, and each proposal of another time and its
-- end. The app role cannot write the table, so no change is left out or invented. The function restores the tenant that
-- was set before.
--
-- Fires on: bookings. The transaction holds the lock of the calendar, so the numbers have no gap.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  entry text := CASE WHEN TG_OP = 'INSERT' THEN NEW.status ELSE app.booking_event(OLD, NEW) END;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
  SELECT NEW.tenant_id, NEW.id, count(*) + 1, NEW.person_id,
         CASE WHEN entry = 'proposal_expired' THEN 'system'
              WHEN NEW.ended_by <> '' AND (TG_OP = 'INSERT' OR OLD.ended_by <> NEW.ended_by) THEN NEW.ended_by
              WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru'
              WHEN TG_OP = 'INSERT' OR app.user_id() = NEW.person_id THEN 'person' ELSE 'system' END,
         entry,
         jsonb_strip_nulls(jsonb_build_object(
           'from', CASE WHEN entry = 'moved' THEN OLD.starts_at END,
           'to', CASE entry WHEN 'moved' THEN NEW.starts_at WHEN 'proposed' THEN NEW.proposed_start END,
           'reason', nullif(CASE WHEN entry = 'proposed' THEN NEW.proposed_reason ELSE NEW.reason END, ''),
           'owed_cents', nullif(NEW.owed_cents, 0)))
    FROM booking_events e WHERE e.tenant_id = NEW.tenant_id AND e.booking_id = NEW.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();
CREATE OR REPLACE TRIGGER add_booking_event_update AFTER UPDATE OF status, starts_at, proposed_start ON bookings
    FOR EACH ROW WHEN ((OLD.status, OLD.starts_at, OLD.proposed_start, OLD.proposals)
                       IS DISTINCT FROM (NEW.status, NEW.starts_at, NEW.proposed_start, NEW.proposals))
    EXECUTE FUNCTION app.add_booking_event();

-- file: triggers/booking_proposals.sql
-- End the guru's proposal of another time with each change of the booking's status or start: it was about that session.
--
-- Fires on: bookings, before the triggers that write the history and queue the emails.
CREATE OR REPLACE FUNCTION app.end_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.proposed_start := NULL;
  NEW.proposed_until := NULL;
  NEW.proposed_reason := '';
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER end_proposal BEFORE UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN (OLD.proposed_start IS NOT NULL
                       AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.end_proposal();
