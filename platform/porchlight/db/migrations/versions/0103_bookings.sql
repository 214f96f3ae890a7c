-- bookings

-- file: functions/acting_tenant_id.sql
-- Return the tenant on whose behalf the transaction acts, or NULL. Unlike app.tenant_id, which every visitor of a site
-- sets, it is set only by the console of the guru (after the owner check) and by jobs of the tenant.
--
-- Called by: the policies of tables with two parties.
CREATE OR REPLACE FUNCTION app.acting_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.acting_tenant_id', true), '')::uuid;

-- file: functions/booking_terms.sql
-- Return the terms of a service for moves and cancellations, as a booking copies them: times in minutes before the
-- start, shares of the price in percent.
--
-- Called by: bookings, app.hold_seat.
CREATE OR REPLACE FUNCTION app.booking_terms(s booking_settings) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'policy', s.policy, 'free_until_minutes', s.free_until_minutes, 'late_percent', s.late_percent,
    'missed_percent', s.missed_percent, 'moves_max', s.moves_max, 'move_until_minutes', s.move_until_minutes)
$$;

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
BEGIN
  PERFORM app.lock_calendar();
  IF person IS NULL THEN
    outcome := 'hold_expired';
    RETURN;
  END IF;
  SELECT b.id INTO booking_id FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held' AND b.expires_at > now()
     AND (b.person_id IS NULL OR b.person_id = person);
  IF booking_id IS NULL THEN
    outcome := 'hold_expired';
  ELSIF (SELECT count(*) >= 2 FROM bookings b
          WHERE b.person_id = person AND b.tenant_id = tenant AND b.status = 'held' AND b.expires_at > now()
            AND b.id <> booking_id) THEN
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
-- free. The caller holds the lock of the calendar. A constraint cannot do this, because time passes without a statement.
--
-- Called by: app.hold_seat, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  WITH ended AS (
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'system'
     WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= now()
    RETURNING b.id
  )
  SELECT count(*)::integer FROM ended
$$;

-- file: functions/find_hold.sql
-- Return the hold with this token's digest, of the transaction's tenant, unless another user has taken it over.
--
-- Called by: bookings, for the page on which a visitor signs in and books.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.find_hold(token_hash bytea) RETURNS SETOF bookings
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.* FROM bookings b
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash
     AND (b.person_id IS NULL OR b.person_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.find_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_hold(bytea) TO porchlight_app;

-- file: functions/hold_seat.sql
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

-- file: functions/lock_calendar.sql
-- Lock the calendar of the transaction's tenant and return it. Every change of appointments and bookings takes this lock
-- first: without it, the exclusion constraint of appointments causes deadlocks.
--
-- Called by: hours, bookings, app.hold_seat, app.claim_hold and app.release_hold.
CREATE OR REPLACE FUNCTION app.lock_calendar() RETURNS calendars
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT c FROM calendars c WHERE c.tenant_id = app.tenant_id() FOR NO KEY UPDATE
$$;

-- file: functions/occupies_seats.sql
-- Return whether a booking with this status occupies its seats.
--
-- Called by: the trigger that counts the occupied seats of an appointment.
CREATE OR REPLACE FUNCTION app.occupies_seats(status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN status IN ('held', 'requested', 'confirmed', 'completed', 'missed');

-- file: functions/release_hold.sql
-- Give up a hold, so that its time is free at once. Returns false if it is no hold any more. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.release_hold(token_hash bytea) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'person'
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash AND b.status = 'held'
     AND (b.person_id IS NULL OR b.person_id = app.user_id());
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.release_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.release_hold(bytea) TO porchlight_app;

-- file: triggers/booking_history.sql
-- Write the history of each booking: an entry for each new status and each move. The app role cannot write the table, so
-- no change is left out or invented. The function restores the tenant that was set before.
--
-- Fires on: bookings. The transaction holds the lock of the calendar, so the numbers have no gap.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  is_move boolean := TG_OP = 'UPDATE' AND NEW.starts_at IS DISTINCT FROM OLD.starts_at;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
  SELECT NEW.tenant_id, NEW.id, count(*) + 1, NEW.person_id,
         CASE WHEN NEW.ended_by <> '' AND (TG_OP = 'INSERT' OR OLD.ended_by <> NEW.ended_by) THEN NEW.ended_by
              WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru'
              WHEN TG_OP = 'INSERT' OR app.user_id() = NEW.person_id THEN 'person' ELSE 'system' END,
         CASE WHEN is_move THEN 'moved' ELSE NEW.status END,
         jsonb_strip_nulls(jsonb_build_object(
           'from', CASE WHEN is_move THEN OLD.starts_at END, 'to', CASE WHEN is_move THEN NEW.starts_at END,
           'reason', nullif(NEW.reason, ''), 'owed_cents', nullif(NEW.owed_cents, 0)))
    FROM booking_events e WHERE e.tenant_id = NEW.tenant_id AND e.booking_id = NEW.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();
CREATE OR REPLACE TRIGGER add_booking_event_update AFTER UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN ((OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.add_booking_event();

-- file: triggers/booking_seats.sql
-- Keep the number of occupied seats of each appointment equal to the parties of its bookings. The constraint on the
-- number rejects one seat too many. A session without bookings ends, and its time is free again, unless its start is
-- fixed.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    UPDATE appointments a SET taken = a.taken - OLD.party,
                              live = a.live AND (a.fixed OR a.taken > OLD.party OR a.kind = 'block')
     WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status) THEN
    UPDATE appointments a SET taken = a.taken + NEW.party, live = true
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_delete AFTER DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();

-- file: triggers/booking_transitions.sql
-- Reject a change of a booking's status that is not in the table of transitions.
--
-- Fires on: bookings.
CREATE OR REPLACE FUNCTION app.check_booking_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (OLD.status, NEW.status) IN (
       ('held', 'requested'), ('held', 'confirmed'), ('held', 'expired'),
       ('requested', 'confirmed'), ('requested', 'declined'), ('requested', 'canceled'), ('requested', 'expired'),
       ('confirmed', 'canceled'), ('confirmed', 'missed'), ('confirmed', 'completed'),
       ('missed', 'confirmed'), ('missed', 'completed')) THEN
    RAISE check_violation USING MESSAGE = format('a booking cannot change from %s to %s', OLD.status, NEW.status);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_booking_transition BEFORE UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION app.check_booking_transition();

-- file: triggers/calendar_changed.sql
-- Give a guru's calendar a new version when its free times may have changed. With the argument `rules`, also a new
-- version of the rules, which decide what is offered at all.
--
-- Fires on: weekly_hours, date_hours, booking_settings, services (rules); appointments. Once per statement, in the same
-- transaction.
CREATE OR REPLACE FUNCTION app.calendar_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1, rules_version = rules_version + (TG_ARGV[0] = 'rules')::integer
   WHERE tenant_id IN (SELECT tenant_id FROM changed);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON weekly_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON date_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON appointments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');

CREATE OR REPLACE FUNCTION app.calendar_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := greatest(NEW.version, OLD.version + 1);
  NEW.rules_version := greatest(NEW.rules_version, OLD.rules_version + 1);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER calendar_rules_changed BEFORE UPDATE OF zone, step_minutes, notice_minutes, horizon_days,
        day_max, paused_until ON calendars
    FOR EACH ROW EXECUTE FUNCTION app.calendar_rules_changed();
