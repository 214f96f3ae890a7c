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
  SELECT * INTO held FROM app.find_hold(token_hash) h WHERE h.status = 'held' AND h.expires_at > app.now();
  outcome := CASE
    WHEN held.id IS NULL OR person IS NULL THEN 'hold_expired'
    WHEN encode(held.terms_digest, 'hex') <> seen_policy THEN 'policy_changed'
    WHEN rules <> expected_rules THEN 'stale'
    WHEN needs_waiver AND NOT EXISTS (
           SELECT FROM waivers w
            WHERE w.user_id = person AND w.id = accepted_waiver AND w.ended_at IS NULL AND w.expires_at > app.now())
    THEN 'waiver_required'
    ELSE (SELECT c.outcome FROM app.claim_hold(token_hash) c) END;
  IF outcome <> 'claimed' THEN
    RETURN;
  END IF;
  SELECT * INTO booking
    FROM app.confirm_holds(ARRAY[held.id], accepted_waiver, name, other_names, message, key, request_digest);
  outcome := 'booked';
END $$;
