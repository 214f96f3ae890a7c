-- Keep `seats` seats of a service at a start for ten minutes, for the current user or for a visitor, and return the
-- outcome. One transaction with the lock of the calendar; the exclusion constraint and the counter of seats decide.
--
-- `local_start` is the start by the clocks of the calendar's zone; see app.get_or_create_appointment. `expected_rules` is
-- the version of the rules for which the caller found the start to be legal, -1 if it is not. Outcomes:
-- held (also for the same token again, if its hold has expired for a new one); stale (compute again: the rules changed,
-- or holds expired); slot_gone, slot_taken, session_full, already_booked, party_too_large; too many holds, of this user
-- (own_limit), of this address (address_limit), or of visitors on this day (visitor_limit).
--
-- An account costs nothing until its address is verified, so such users count as visitors. Visitors share a limit for
-- each day. One network address has at most half of it: a further hold from there ends its oldest one.
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
  is_visitor boolean := NOT EXISTS (SELECT FROM users u WHERE u.user_id = app.user_id() AND u.email_verified);
  max_of_address integer := greatest(max_of_visitors / 2, 1);
  of_address uuid[];  -- holds of visitors on the day, the newest first
  of_others bigint;
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
  IF is_visitor THEN
    SELECT coalesce(array_agg(b.id ORDER BY b.id DESC) FILTER (WHERE b.address_hash = address), '{}'),
           count(*) FILTER (WHERE b.address_hash IS DISTINCT FROM address)
      INTO of_address, of_others
      FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
     WHERE b.tenant_id = tenant AND b.status = 'held' AND u.email_verified IS NOT TRUE
       AND b.starts_at > wanted_start - interval '26 hours' AND b.starts_at < wanted_start + interval '26 hours'
       AND ((b.starts_at AT TIME ZONE 'UTC') + to_local)::date
           = ((wanted_start AT TIME ZONE 'UTC') + to_local)::date;
  END IF;
  IF calendar.rules_version = expected_rules THEN
    outcome := CASE
      WHEN person IS NOT NULL AND (
        (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.address_hash IS NOT NULL) >= 2  -- without offers
                OR count(*) FILTER (WHERE b.status = 'requested') >= 3
           FROM bookings b WHERE b.person_id = person AND b.tenant_id = tenant AND b.expires_at IS NOT NULL)
        -- Each booking and its cancellation are news for the guru.
        OR (SELECT count(DISTINCT coalesce(b.series_id, b.id)) >= 10 FROM bookings b
             WHERE b.person_id = person AND b.tenant_id = tenant AND b.address_hash IS NOT NULL
               AND b.created_at > app.now() - interval '1 hour')) THEN 'own_limit'
      WHEN is_visitor AND (
        SELECT count(*) >= 10 OR count(*) FILTER (WHERE b.status = 'held') >= 3
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.address_hash = address AND b.created_at > app.now() - interval '1 hour'
           AND u.email_verified IS NOT TRUE) THEN 'address_limit'
      WHEN is_visitor AND of_others + least(cardinality(of_address), max_of_address - 1) >= max_of_visitors
        THEN 'visitor_limit'
    END;
    IF outcome IS NOT NULL THEN
      RETURN;
    END IF;
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
  IF outcome = 'held' AND cardinality(of_address) >= max_of_address THEN
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'system'
     WHERE b.tenant_id = tenant AND b.id = ANY (of_address[max_of_address:]) AND b.status = 'held';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer, timestamp) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_seat(uuid, uuid, uuid, timestamptz, integer, bytea, bytea, bigint, integer, timestamp)
    TO porchlight_app;
