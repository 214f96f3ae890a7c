-- book hold

-- file: functions/book_hold.sql
-- Book a hold for the current user, or ask the guru for its time if they decide, and return the outcome and the booking.
-- The emails are queued with it. Locks the calendar.
--
-- `seen_policy` is the digest of the terms that the user saw, in hex. `expected_rules` is the version of the rules by
-- which the caller found whether the session needs a waiver, and `accepted_waiver` the user's. Outcomes: booked (also
-- for the same request sent again); conflict (the key is of another request); stale (look again: the rules changed);
-- hold_expired, policy_changed, waiver_required, already_booked, limited.
--
-- Called by: bookings.
CREATE OR REPLACE FUNCTION app.book_hold(
  token_hash bytea, seen_policy text, expected_rules bigint, needs_waiver boolean, accepted_waiver uuid,
  name text, other_names text[], message text, key text, request_digest bytea,
  OUT outcome text, OUT booking bookings)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  person uuid := app.user_id();
  rules bigint := (app.lock_calendar()).rules_version;
  held bookings;
BEGIN
  SELECT * INTO booking FROM bookings b WHERE b.person_id = person AND b.idempotency_key = key;
  IF FOUND THEN
    outcome := CASE WHEN booking.digest = request_digest THEN 'booked' ELSE 'conflict' END;
    RETURN;
  END IF;
  SELECT * INTO held FROM app.find_hold(token_hash) h WHERE h.status = 'held' AND h.expires_at > now();
  outcome := CASE
    WHEN held.id IS NULL OR person IS NULL THEN 'hold_expired'
    WHEN encode(held.terms_digest, 'hex') <> seen_policy THEN 'policy_changed'
    WHEN rules <> expected_rules THEN 'stale'
    WHEN needs_waiver AND NOT EXISTS (
           SELECT FROM waivers w
            WHERE w.user_id = person AND w.id = accepted_waiver AND w.ended_at IS NULL AND w.expires_at > now())
    THEN 'waiver_required'
    ELSE (SELECT c.outcome FROM app.claim_hold(token_hash) c) END;
  IF outcome <> 'claimed' THEN
    RETURN;
  END IF;
  SELECT * INTO booking
    FROM app.confirm_holds(ARRAY[held.id], accepted_waiver, name, other_names, message, key, request_digest);
  outcome := 'booked';
END $$;

-- file: functions/claim_hold.sql
-- Give a visitor's hold to the current user. Outcomes: claimed (also when it is theirs already), hold_expired,
-- already_booked, limited. Locks the calendar.
--
-- Called by: bookings and app.book_hold, for a user who has signed in and books what they held as a visitor.
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
    IF is_visitors THEN
      UPDATE bookings b SET person_id = person WHERE b.tenant_id = tenant AND b.id = booking_id;
      UPDATE booking_events e SET person_id = person
       WHERE e.tenant_id = tenant AND e.booking_id = claim_hold.booking_id;
    END IF;
    outcome := 'claimed';
  END IF;
EXCEPTION WHEN unique_violation THEN
  outcome := 'already_booked';
END $$;
REVOKE ALL ON FUNCTION app.claim_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.claim_hold(bytea) TO porchlight_app;

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
         -- A guru has a day to answer a request, but not until later than two hours before the start.
         expires_at = CASE b.approval WHEN 'request' THEN
           greatest(least(now() + interval '24 hours', b.starts_at - interval '2 hours'), now()) END,
         confirmed_at = CASE b.approval WHEN 'request' THEN NULL ELSE now() END,
         waiver_level = coalesce(w.level, ''), waiver_id = w.id, waiver_until = w.expires_at,
         person_name = confirm_holds.name, participants = other_names, note = message,
         series_id = CASE WHEN cardinality(ids) > 1 THEN ids[1] END,
         idempotency_key = CASE WHEN b.id = ids[1] THEN confirm_holds.key ELSE b.id::text END, digest = request_digest
    FROM (VALUES (accepted_waiver)) accepted (id)
    LEFT JOIN waivers w ON w.id = accepted.id AND w.user_id = app.user_id()
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.status = 'held' AND b.expires_at > now()
  RETURNING b.*
$$;
