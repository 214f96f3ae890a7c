-- local starts

-- file: functions/add_waking_time.sql
-- Return the local time after which a person has had `wait`, at most ten hours, between 8 AM and 10 PM.
--
-- Called by: app.offer_seats.
CREATE OR REPLACE FUNCTION app.add_waking_time(local timestamp, wait interval) RETURNS timestamp
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp
RETURN (
  SELECT CASE WHEN awake.at + wait > awake.at::date + interval '22 hours' THEN awake.at + wait + interval '10 hours'
              ELSE awake.at + wait END
    FROM (SELECT CASE WHEN local::time >= '22:00' THEN local::date + interval '32 hours'
                      ELSE greatest(local, local::date + interval '8 hours') END AS at) awake);

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

-- file: functions/confirm_holds.sql
-- Book holds of the current user, or ask the guru for their times if they decide, and return the bookings that could be
-- confirmed. Several are a series, which has the id of its first booking; that one gets the idempotency key. The emails
-- are queued with them. The calendar is locked.
--
-- Called by: bookings and app.book_hold.
CREATE OR REPLACE FUNCTION app.confirm_holds(
  ids uuid[], accepted_waiver uuid, name text, other_names text[], message text, key text, request_digest bytea)
RETURNS SETOF bookings
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  UPDATE bookings b
     SET status = CASE b.approval WHEN 'request' THEN 'requested' ELSE 'confirmed' END,
         -- A guru has a day to answer a request, but not until later than two hours before the start. For a start that
         -- is near, they have an hour, until 15 minutes before it: no request is made 45 minutes before its start.
         expires_at = CASE b.approval WHEN 'request' THEN
           least(app.now() + interval '24 hours',
                 greatest(b.starts_at - interval '2 hours',
                          least(app.now() + interval '1 hour', b.starts_at - interval '15 minutes'))) END,
         confirmed_at = CASE b.approval WHEN 'request' THEN NULL ELSE app.now() END,
         waiver_level = coalesce(w.level, ''), waiver_id = w.id, waiver_until = w.expires_at,
         person_name = confirm_holds.name, participants = other_names, note = message,
         series_id = CASE WHEN cardinality(ids) > 1 THEN ids[1] END,
         idempotency_key = CASE WHEN b.id = ids[1] THEN confirm_holds.key ELSE b.id::text END, digest = request_digest
    FROM (VALUES (accepted_waiver)) accepted (id)
    LEFT JOIN waivers w ON w.id = accepted.id AND w.user_id = app.user_id()
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.status = 'held' AND b.expires_at > app.now()
  RETURNING b.*
$$;

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

-- file: functions/instant_standing.sql
-- Return whether the current user can take an instant payout by our own rules, and what it depends on. `reason` is the
-- code of the first rule against it, or empty; Stripe's balance decides the rest. `left_cents`: what today's limits
-- leave, of the user and of the platform. Days are US Central, as at Stripe.
--
-- `limits` has the settings daily_count, daily_cents, platform_daily_cents, first_sale_days and change_hours, and
-- `day_start`, the first instant of the day; without it, the limits are those of the last 24 hours.
--
-- Called by: payouts and app.request_payout.
-- SECURITY DEFINER: the ledger, and the sum of today's payouts of all users. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.instant_standing(limits jsonb, OUT account_id text, OUT reason text,
                                                OUT left_cents bigint, OUT ledger_cents bigint, OUT held bigint,
                                                OUT debt bigint, OUT destinations text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  account payout_accounts;
  stripe bigint;
  today timestamptz := coalesce((limits ->> 'day_start')::timestamptz, app.now() - interval '24 hours');
  own record;
  all_cents bigint;
  first_sale timestamptz;
BEGIN
  SELECT a.* INTO account FROM payout_accounts a WHERE a.user_id = owner;
  SELECT b.held, b.debt, b.stripe INTO held, debt, stripe FROM app.own_ledger_balances() b;
  SELECT coalesce(sum(b.credits - b.debits - b.reserved), 0) INTO ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = owner AND a.kind = 'guru_stripe';
  SELECT count(*) AS payouts, coalesce(sum(p.amount), 0) AS cents INTO own FROM payouts p
   WHERE p.user_id = owner AND p.method = 'instant' AND NOT p.automatic AND p.created_at >= today
     AND p.state NOT IN ('failed', 'canceled');
  SELECT coalesce(sum(p.amount), 0) INTO all_cents FROM payouts p
   WHERE p.method = 'instant' AND NOT p.automatic AND p.created_at >= today AND p.state NOT IN ('failed', 'canceled');
  SELECT t.at INTO first_sale
    FROM ledger_accounts a JOIN ledger_transfers l ON l.credit_account = a.id
    JOIN ledger_transactions t ON t.id = l.transaction_id
   WHERE a.user_id = owner AND a.kind IN ('guru_held', 'guru_payable') AND t.event <> 'test_earnings'
   ORDER BY t.at LIMIT 1;
  account_id := CASE WHEN account.connected THEN account.account_id END;
  destinations := account.destinations;
  left_cents := greatest(least((limits ->> 'daily_cents')::bigint - own.cents,
                               (limits ->> 'platform_daily_cents')::bigint - all_cents), 0);
  reason := CASE
    WHEN NOT coalesce(account.connected AND account.details_submitted, false) THEN 'not_connected_yet'
    WHEN NOT account.payouts_enabled THEN 'payouts_paused'
    WHEN debt > 0 OR stripe < 0 THEN 'balance_negative'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.account_id = account.account_id AND NOT p.automatic
                    AND p.state IN ('requested', 'sent')) THEN 'payout_in_progress'
    WHEN first_sale > app.now() - make_interval(days => (limits ->> 'first_sale_days')::integer) THEN 'first_sale_is_new'
    WHEN account.destinations_changed_at > app.now() - make_interval(hours => (limits ->> 'change_hours')::integer)
      THEN 'destination_is_new'
    WHEN own.payouts >= (limits ->> 'daily_count')::integer OR own.cents >= (limits ->> 'daily_cents')::bigint
      THEN 'payout_limit'
    WHEN all_cents >= (limits ->> 'platform_daily_cents')::bigint THEN 'platform_limit'
    ELSE '' END;
END $$;
REVOKE ALL ON FUNCTION app.instant_standing(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.instant_standing(jsonb) TO porchlight_app;

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

-- file: functions/offer_seats.sql
-- Offer the free seats of a session to those who wait for it: each time to the first whose party fits. An offer is a
-- hold for two hours, of which the night (10 PM to 8 AM where the session is) is no part, but not later than an hour
-- before the start, and at least 15 minutes. An email tells the person. None is made within the guru's notice.
-- The caller holds the lock of the calendar.
--
-- Called by: the trigger on appointments, app.join_waitlist and app.expire_bookings.
-- SECURITY DEFINER: those who wait are other users. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.offer_seats(offered_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  session appointments;
  entry waitlist;
  offer_id uuid;
  offered_until timestamptz;
  to_local interval;
BEGIN
  LOOP
    SELECT a.* INTO session
      FROM appointments a
      JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
      JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
      JOIN calendars c ON c.tenant_id = a.tenant_id
     WHERE a.tenant_id = tenant AND a.id = offered_appointment
       -- A guru who answers requests needs time for that, too: sites.hours.queries, REQUEST_NOTICE_MINUTES.
       AND a.starts_at >= app.now() + make_interval(
             mins => greatest(c.notice_minutes, CASE t.approval WHEN 'request' THEN 45 ELSE 0 END));
    -- Near enough in the night after a change of the clocks.
    to_local := session.local_start - (session.starts_at AT TIME ZONE 'UTC');
    offered_until := greatest(
      least(coalesce((app.add_waking_time((app.now() AT TIME ZONE 'UTC') + to_local, interval '2 hours') - to_local)
                       AT TIME ZONE 'UTC', app.now() + interval '2 hours'),
            session.starts_at - interval '1 hour'),
      app.now() + interval '15 minutes');
    SELECT * INTO entry FROM waitlist w
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.status = 'waiting'
       AND w.party <= session.capacity - session.taken AND offered_until <= session.starts_at
     ORDER BY w.number LIMIT 1;
    EXIT WHEN entry.number IS NULL;
    offer_id := gen_random_uuid();
    UPDATE waitlist w
       SET status = CASE WHEN app.create_hold(offer_id, session.id, entry.person_id, entry.party, NULL, NULL,
                                              offered_until) THEN 'offered' ELSE 'taken' END
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.number = entry.number;
    PERFORM app.queue_booking_emails(b, 'spot_free', ARRAY['person']) FROM bookings b
      WHERE b.tenant_id = tenant AND b.id = offer_id;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.offer_seats(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_seats(uuid) TO porchlight_app, porchlight_overseer;

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
