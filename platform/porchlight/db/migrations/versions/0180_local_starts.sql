-- local starts

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
  WHEN changed.starts_at IS DISTINCT FROM before.starts_at
    -- A move leads to another appointment. The instant of one changes only with the rules of its time zone.
    THEN CASE WHEN changed.appointment_id = before.appointment_id THEN 'clocks_changed' ELSE 'moved' END
  WHEN changed.proposals > before.proposals THEN 'proposed'
  WHEN before.proposed_until <= app.now() THEN 'proposal_expired'
  WHEN app.acting_tenant_id() = changed.tenant_id THEN 'proposal_withdrawn'
  ELSE 'proposal_lapsed' END;

-- file: functions/get_or_create_appointment.sql
-- Return the live session of a service at a start with `seats` free seats; create it if the guru is free then. The
-- exclusion constraint and the counter of seats decide. The caller holds the lock of the calendar.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- `local_start` is the start by the clocks of the calendar's zone: the caller knows its rules, PostgreSQL's may be others.
-- Outcomes: found; stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full.
--
-- Called by: app.hold_seat and app.move_booking.
CREATE OR REPLACE FUNCTION app.get_or_create_appointment(
  new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, expected_rules bigint,
  local_start timestamp DEFAULT NULL,
  OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  calendar calendars;
  settings booking_settings;
  minutes integer;
  wanted_end timestamptz;
  appointment appointments;
  to_local interval := coalesce(local_start - (wanted_start AT TIME ZONE 'UTC'), interval '0');
BEGIN
  SELECT * INTO calendar FROM calendars c WHERE c.tenant_id = tenant;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT s.duration_minutes INTO minutes FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service AND NOT s.over_limit;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR minutes IS NULL OR wanted_start <= app.now() THEN
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
         AND a.starts_at > wanted_start - interval '26 hours' AND a.starts_at < wanted_start + interval '26 hours'
         AND coalesce(CASE WHEN a.zone = calendar.zone THEN a.local_start END,
                      (a.starts_at AT TIME ZONE 'UTC') + to_local)::date
             = ((wanted_start AT TIME ZONE 'UTC') + to_local)::date) THEN
    outcome := 'slot_taken';
  ELSE
    wanted_end := wanted_start + make_interval(mins => minutes);
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked,
                              capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            get_or_create_appointment.local_start,
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
-- `local_start` is the start by the clocks of the calendar's zone; see app.get_or_create_appointment. `expected_rules` is
-- the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- held (also for the same token again, if its hold has expired for a new one); stale (compute again: the rules changed,
-- or holds expired); slot_gone, slot_taken, session_full, already_booked, party_too_large; limited (too many holds of
-- this address, of this user or of visitors on this day).
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_seat(
  new_id uuid, new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, token_hash bytea,
  address bytea, expected_rules bigint, max_of_visitors integer, local_start timestamp DEFAULT NULL,
  OUT outcome text, OUT held_until timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  calendar calendars;
  to_local interval := coalesce(local_start - (wanted_start AT TIME ZONE 'UTC'), interval '0');
  appointment uuid;
BEGIN
  IF seats > (SELECT s.party_max FROM booking_settings s
               WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open) THEN
    outcome := 'party_too_large';
    RETURN;
  END IF;
  -- Without the lock, so that many people who want a start that is gone do not wait for each other.
  IF NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.expires_at <= app.now())
     AND NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token_hash) THEN
    SELECT CASE WHEN a.service_id IS DISTINCT FROM wanted_service OR a.starts_at <> wanted_start THEN 'slot_taken'
                WHEN a.taken + seats > a.capacity OR a.waiting > 0 THEN 'session_full' END INTO outcome
      FROM appointments a WHERE a.tenant_id = tenant AND a.live AND a.blocked @> wanted_start;
    outcome := coalesce(outcome, CASE WHEN expected_rules = -1 THEN 'slot_gone' END);
    IF outcome IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  calendar := app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT 'held', b.expires_at INTO outcome, held_until FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held';
  IF outcome = 'held' THEN  -- the same request, sent again
    RETURN;
  END IF;
  UPDATE bookings b SET hold_hash = NULL
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'expired';
  IF calendar.rules_version = expected_rules AND (CASE WHEN person IS NULL THEN
       (SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3 FROM bookings b
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > app.now() - interval '1 hour')
       OR (SELECT count(*) >= max_of_visitors FROM bookings b
            WHERE b.tenant_id = tenant AND b.person_id IS NULL AND b.status = 'held'
              AND b.starts_at > wanted_start - interval '26 hours' AND b.starts_at < wanted_start + interval '26 hours'
              AND ((b.starts_at AT TIME ZONE 'UTC') + to_local)::date
                  = ((wanted_start AT TIME ZONE 'UTC') + to_local)::date)
     ELSE
       (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.address_hash IS NOT NULL) >= 2  -- without offers
               OR count(*) FILTER (WHERE b.status = 'requested') >= 3
          FROM bookings b WHERE b.person_id = person AND b.tenant_id = tenant AND b.expires_at IS NOT NULL)
     END) THEN
    outcome := 'limited';
    RETURN;
  END IF;
  SELECT f.outcome, f.appointment_id INTO outcome, appointment
    FROM app.get_or_create_appointment(new_appointment_id, wanted_service, wanted_start, seats, expected_rules,
                                       local_start) f;
  IF outcome <> 'found' THEN
    RETURN;
  END IF;
  held_until := app.now() + interval '10 minutes';
  outcome := CASE WHEN app.create_hold(new_id, appointment, person, seats, token_hash, address, held_until)
                  THEN 'held' ELSE 'already_booked' END;
END $$;
REVOKE ALL ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer, timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer, timestamp)
    TO porchlight_app;

-- file: functions/hold_series.sql
-- Keep the seats of further sessions for the current user beside one that they hold, all or none, and return the
-- outcome of each start, in the order of `starts`. The further holds end with the first one and get its party, price,
-- place and terms, which the user has seen. Returns null if the user does not hold the first one any more.
--
-- `local_starts` are the starts by the clocks of the calendar's zone. `expected_rules` is, for each start, the version of the rules for which the caller found it to be legal, -1 if it is
-- not. Outcomes: held; already_booked; those of app.get_or_create_appointment. Unless all are held, none is kept.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_series(
  held_id uuid, new_ids uuid[], new_appointment_ids uuid[], starts timestamptz[], expected_rules bigint[],
  local_starts timestamp[] DEFAULT NULL,
  OUT outcomes text[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  hold bookings;
  session record;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO hold FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = held_id AND b.person_id = app.user_id() AND b.status = 'held';
  IF hold.id IS NULL THEN
    RETURN;
  END IF;
  BEGIN
    FOR i IN 1 .. cardinality(starts) LOOP
      SELECT f.outcome, f.appointment_id INTO session
        FROM app.get_or_create_appointment(
          new_appointment_ids[i], hold.service_id, starts[i], hold.party, expected_rules[i], local_starts[i]) f;
      outcomes[i] := session.outcome;
      IF session.outcome = 'found' THEN
        outcomes[i] := CASE WHEN app.create_hold(new_ids[i], session.appointment_id, hold.person_id, hold.party, NULL,
                                                 NULL, hold.expires_at)
                            THEN 'held' ELSE 'already_booked' END;
      END IF;
    END LOOP;
    IF 'held' <> ANY (outcomes) THEN
      RAISE EXCEPTION 'some times are gone';  -- undo the holds of the others
    END IF;
    UPDATE bookings b
       SET service_name = hold.service_name, price_cents = hold.price_cents, currency = hold.currency,
           approval = hold.approval, place = hold.place, place_text = hold.place_text, terms = hold.terms,
           terms_digest = hold.terms_digest
     WHERE b.tenant_id = tenant AND b.id = ANY (new_ids);
  EXCEPTION WHEN raise_exception THEN
    NULL;
  END;
END $$;
REVOKE ALL ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[], timestamp[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[], timestamp[]) TO porchlight_app;

-- file: functions/move_booking.sql
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

-- file: functions/teaching_times.sql
-- Return the first of these gurus, in their order, who take bookings: each with one service that can be booked (the one
-- that is wanted, or the guru's main one), its rules, and the hours and live appointments from the day before `now_at` to
-- the day after the last of the days. A guru whose flag "booking" is off is left out. The columns from `version` on have
-- the form of those in sites.hours.queries.
--
-- Called by: sites.hours.first_starts, for teachers.
-- Each guru is read in its own tenant's isolation, with the rights of the caller. The setting is the caller's again at
-- the end; the outer statement must not read tables of tenants itself.
CREATE OR REPLACE FUNCTION app.teaching_times(guru_ids uuid[], wanted_service uuid, now_at timestamptz,
                                              max_days integer, max_results integer)
RETURNS TABLE (guru_id uuid, name text, price_cents bigint, currency text, version bigint, rules_version bigint,
               zone text, step_minutes smallint, notice_minutes integer, horizon_days smallint, day_max smallint,
               paused_until timestamptz, service_id uuid, duration_minutes integer, setup_minutes smallint,
               cleanup_minutes smallint, capacity smallint, starts text, party_max smallint, approval text, place text,
               free_until_minutes integer, late_percent smallint, weekly json, dates json, appointments json)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  tenant uuid;
  found_gurus integer := 0;
BEGIN
  FOREACH tenant IN ARRAY guru_ids LOOP
    EXIT WHEN found_gurus >= max_results;
    PERFORM set_config('app.tenant_id', tenant::text, true);
    RETURN QUERY
      SELECT c.tenant_id, s.name, s.price_cents, s.currency, c.version, c.rules_version, c.zone, c.step_minutes,
             c.notice_minutes, c.horizon_days, c.day_max, c.paused_until, s.id, s.duration_minutes, b.setup_minutes,
             b.cleanup_minutes, b.capacity, b.starts, b.party_max, b.approval, b.place, b.free_until_minutes,
             b.late_percent,
             (SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
                FROM weekly_hours h WHERE h.tenant_id = tenant),
             (SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
                FROM date_hours d WHERE d.tenant_id = tenant AND d.day BETWEEN day.first AND day.last),
             (SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
                       extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)),
                       extract(epoch FROM upper(a.blocked)), a.capacity,
                       CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
                FROM appointments a WHERE a.tenant_id = tenant AND a.live
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                            (day.last + 1)::timestamp AT TIME ZONE 'UTC'))
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE 'UTC')::date AS today) utc
       -- The zone's own day may be the one before or after.
       CROSS JOIN LATERAL (SELECT utc.today - 2 AS first,
                                  utc.today + 1 + least(c.horizon_days + 1, max_days) AS last) day
       WHERE c.tenant_id = tenant AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
         AND s.id = coalesce(wanted_service, s.id)
         AND coalesce((SELECT bool_or(k.listed) FROM guru_categories k WHERE k.tenant_id = tenant), true)
         AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'), true)
       ORDER BY s.popular DESC, s.position, s.id LIMIT 1;
    IF FOUND THEN
      found_gurus := found_gurus + 1;
    END IF;
  END LOOP;
  PERFORM set_config('app.tenant_id', before, true);
END $$;
REVOKE ALL ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer)
  TO porchlight_app, porchlight_overseer;
