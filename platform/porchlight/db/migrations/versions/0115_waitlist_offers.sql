-- waitlist offers

-- file: functions/claim_hold.sql
-- Give a visitor's hold to the current user. Outcomes: claimed (also when it is theirs already), hold_expired,
-- already_booked, limited. Locks the calendar.
--
-- Called by: bookings, when a user who has signed in books what they held as a visitor.
-- SECURITY DEFINER: the user is no party of the booking yet. The token is the permission.
CREATE OR REPLACE FUNCTION app.claim_hold(token_hash bytea, OUT outcome text, OUT booking_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_visitors boolean;
BEGIN
  PERFORM app.lock_calendar();
  IF person IS NULL THEN
    outcome := 'hold_expired';
    RETURN;
  END IF;
  SELECT b.id, b.person_id IS NULL INTO booking_id, is_visitors FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held' AND b.expires_at > now()
     AND (b.person_id IS NULL OR b.person_id = person);
  IF booking_id IS NULL THEN
    outcome := 'hold_expired';
  ELSIF is_visitors AND (SELECT count(*) >= 2 FROM bookings b
          WHERE b.person_id = person AND b.tenant_id = tenant AND b.status = 'held' AND b.expires_at > now()
            AND b.id <> booking_id AND b.address_hash IS NOT NULL) THEN
    outcome := 'limited';
  ELSE
    UPDATE bookings b SET person_id = person WHERE b.tenant_id = tenant AND b.id = booking_id AND b.person_id IS NULL;
    UPDATE booking_events e SET person_id = person WHERE e.tenant_id = tenant AND e.booking_id = claim_hold.booking_id;
    outcome := 'claimed';
  END IF;
EXCEPTION WHEN unique_violation THEN
  outcome := 'already_booked';
END $$;
REVOKE ALL ON FUNCTION app.claim_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.claim_hold(bytea) TO porchlight_app;

-- file: functions/expire_bookings.sql
-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their seats become
-- free, or are offered to those who wait. The caller holds the lock of the calendar. A constraint cannot do this,
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
  -- Seats that became free while the site was suspended have not been offered.
  PERFORM app.offer_seats(a.id) FROM appointments a
   WHERE a.tenant_id = app.tenant_id() AND a.live AND a.waiting > 0 AND a.taken < a.capacity;
  RETURN ended;
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
-- held (also for the same token again, if its hold has expired for a new one); stale (compute again: the rules changed,
-- or holds expired); slot_gone, slot_taken, session_full, already_booked, party_too_large; limited (too many holds of
-- this address, of this user or of visitors on this day).
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
  UPDATE bookings b SET hold_hash = NULL
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'expired';
  day_start := date_trunc('day', wanted_start AT TIME ZONE calendar.zone) AT TIME ZONE calendar.zone;
  day_end := (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day') AT TIME ZONE calendar.zone;
  IF calendar.rules_version = expected_rules AND (CASE WHEN person IS NULL THEN
       (SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3 FROM bookings b
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > now() - interval '1 hour')
       OR (SELECT count(*) >= max_of_visitors FROM bookings b
            WHERE b.tenant_id = tenant AND b.person_id IS NULL AND b.status = 'held'
              AND b.starts_at >= day_start AND b.starts_at < day_end)
     ELSE
       (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.address_hash IS NOT NULL) >= 2  -- without offers
               OR count(*) FILTER (WHERE b.status = 'requested') >= 3
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

-- file: functions/join_waitlist.sql
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
     AND a.starts_at > now() + interval '15 minutes';
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
          WHERE w.person_id = person AND w.status IN ('waiting', 'offered') AND w.starts_at > now()) THEN
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

-- file: functions/leave_waitlist.sql
-- Take the current user off the waitlist of a session, and release what was offered to them. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may only read the waitlist. The tenant and the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.leave_waitlist(left_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was_offered boolean;
BEGIN
  PERFORM app.lock_calendar();
  SELECT w.status = 'offered' INTO was_offered FROM waitlist w
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  UPDATE waitlist w SET status = 'left'
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  IF was_offered THEN
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'person'
     WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = left_appointment AND b.person_id = app.user_id()
       AND b.status = 'held';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.leave_waitlist(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.leave_waitlist(uuid) TO porchlight_app;

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

-- file: functions/offer_seats.sql
-- Offer the free seats of a session to those who wait for it: each time to the first whose party fits. An offer is a
-- hold for two hours, but not later than an hour before the start, and at least 15 minutes. The caller holds the lock of
-- the calendar.
--
-- Called by: the trigger on appointments, app.join_waitlist and app.expire_bookings.
-- SECURITY DEFINER: those who wait are other users. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.offer_seats(offered_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  session appointments;
  entry waitlist;
  offered_until timestamptz;
BEGIN
  LOOP
    SELECT a.* INTO session
      FROM appointments a
      JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
      JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
     WHERE a.tenant_id = tenant AND a.id = offered_appointment;
    offered_until := greatest(least(now() + interval '2 hours', session.starts_at - interval '1 hour'),
                              now() + interval '15 minutes');
    SELECT * INTO entry FROM waitlist w
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.status = 'waiting'
       AND w.party <= session.capacity - session.taken AND offered_until <= session.starts_at
     ORDER BY w.number LIMIT 1;
    EXIT WHEN entry.number IS NULL;
    UPDATE waitlist w
       SET status = CASE WHEN app.create_hold(gen_random_uuid(), session.id, entry.person_id, entry.party, NULL, NULL,
                                              offered_until) THEN 'offered' ELSE 'taken' END
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.number = entry.number;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.offer_seats(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_seats(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/open_offer.sql
-- Give the hold that was offered to the current user a token, by which they book it, and return until when it is theirs.
-- Returns null if there is none any more. Locks the calendar.
--
-- Called by: bookings, when someone from the waitlist wants to book.
-- SECURITY DEFINER: the app role cannot change the token of a booking. The tenant and the user are those of the
-- transaction.
CREATE OR REPLACE FUNCTION app.open_offer(offered_appointment uuid, token_hash bytea) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held_until timestamptz;
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET hold_hash = token_hash
    FROM waitlist w
   WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = offered_appointment AND b.person_id = app.user_id()
     AND b.status = 'held' AND b.expires_at > now()
     AND w.tenant_id = b.tenant_id AND w.appointment_id = b.appointment_id AND w.person_id = b.person_id
     AND w.status = 'offered'
  RETURNING b.expires_at INTO held_until;
  RETURN held_until;
END $$;
REVOKE ALL ON FUNCTION app.open_offer(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_offer(uuid, bytea) TO porchlight_app;

-- file: functions/waitlist_position.sql
-- Return the current user's position among those who wait for a session, 1 for the first; null if they do not wait.
--
-- Called by: bookings.
-- SECURITY DEFINER: those who wait are other users. Only their number is returned.
CREATE OR REPLACE FUNCTION app.waitlist_position(waited_tenant uuid, waited_appointment uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT (SELECT count(*) FROM waitlist w
           WHERE w.tenant_id = own.tenant_id AND w.appointment_id = own.appointment_id AND w.status = 'waiting'
             AND w.number <= own.number)::integer
    FROM waitlist own
   WHERE own.tenant_id = waited_tenant AND own.appointment_id = waited_appointment AND own.person_id = app.user_id()
     AND own.status = 'waiting'
$$;
REVOKE ALL ON FUNCTION app.waitlist_position(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_position(uuid, uuid) TO porchlight_app;

-- file: triggers/waitlist_offers.sql
-- Keep the number of those who wait for each session; offer the seats that become free; and settle an offer when its
-- hold is booked or ends. A session that ends takes no one from its waitlist.
--
-- Fires on: waitlist, appointments, bookings. The transaction holds the lock of the calendar.
-- SECURITY DEFINER: the app role may only read the waitlist. The functions restore the tenant that was set before.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting - 1 WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting + 1 WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();

CREATE OR REPLACE FUNCTION app.offer_freed_seats() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  IF NEW.capacity - NEW.taken > OLD.capacity - OLD.taken THEN
    PERFORM app.offer_seats(NEW.id);
  END IF;
  UPDATE waitlist w SET status = 'lapsed' FROM appointments a
   WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.id AND w.status = 'waiting'
     AND a.tenant_id = w.tenant_id AND a.id = w.appointment_id AND NOT a.live;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER offer_freed_seats AFTER UPDATE OF taken, capacity, live ON appointments
    FOR EACH ROW WHEN (OLD.live AND NEW.waiting > 0
                       AND (NEW.capacity - NEW.taken > OLD.capacity - OLD.taken OR NOT NEW.live))
    EXECUTE FUNCTION app.offer_freed_seats();

CREATE OR REPLACE FUNCTION app.settle_offer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  UPDATE waitlist w SET status = CASE WHEN NEW.status IN ('requested', 'confirmed') THEN 'taken' ELSE 'lapsed' END
   WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.appointment_id AND w.person_id = NEW.person_id
     AND (w.status = 'offered' OR w.status = 'waiting' AND NEW.status IN ('requested', 'confirmed'));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER settle_offer AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status = 'held' AND NEW.status <> 'held' AND NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION app.settle_offer();
